import { base } from './style/base.js';
import { frame } from './style/frame.js';
import { picture } from './style/picture.js';
import { table } from './style/table.js';

export const style = [base, frame, table, picture].join('');
