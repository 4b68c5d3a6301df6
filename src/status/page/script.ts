import { bucketMs, buckets, bucketStates } from '../timeline.js';
import { chart } from './script/chart.js';
import { commands } from './script/commands.js';
import { detailView } from './script/detail-view.js';
import { drawing } from './script/drawing.js';
import { elements } from './script/elements.js';
import { main } from './script/main.js';
import { model } from './script/model.js';
import { overview } from './script/overview.js';
import { rowView } from './script/row-view.js';
import { stream } from './script/stream.js';
import { tableView } from './script/table.js';
import { words } from './script/words.js';

const given = /* js */ `
/** Of everything that the page asks for, wherever it is mounted. */
const base = location.pathname.endsWith('/') ? location.pathname : location.pathname + '/';
const buckets = ${buckets};
const bucketMs = ${bucketMs};
/**
 * By the digits of a timeline; 0 is what nobody saw.
 * @type {readonly (Row['state'] | undefined)[]}
 */
const drawnStates = [undefined, ${bucketStates.map((state) => `'${state}'`).join(', ')}];
`;

/**
 * What runs in the browser: one module. It is kept as text, not as functions that are turned into text,
 * because bundlers and coverage tools rewrite functions, and what they add is not there in a browser. A
 * test compiles it against the types of the server.
 */
export const script = [
  given,
  elements,
  words,
  model,
  drawing,
  chart,
  rowView,
  commands,
  detailView,
  tableView,
  overview,
  stream,
  main,
].join('');
