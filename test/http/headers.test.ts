import { AxiosHeaders } from 'axios';
import { readHeader } from '../../src/http/headers.js';

describe('a header', () => {
  it.each([
    ['in lower case', { 'retry-after': '5' }],
    ['in any case', { 'Retry-AFTER': '5' }],
    ['of AxiosHeaders', new AxiosHeaders({ 'Retry-After': '5' })],
    ['as a number', { 'retry-after': 5 }],
    ['as a list', { 'retry-after': ['5'] }],
  ])('is read %s', (_title, headers) => {
    expect(readHeader(headers, 'retry-after')).toBe('5');
  });

  it('of several lines is joined', () => {
    expect(readHeader({ 'retry-after': ['5', 7, '9'] }, 'retry-after')).toBe('5, 9');
  });

  it.each([
    ['no headers', undefined],
    ['null', null],
    ['a string', 'retry-after: 5'],
    ['another header', { other: '5' }],
    ['null as its value', { 'retry-after': null }],
    ['an object as its value', { 'retry-after': Object.create(null) as object }],
  ])('is undefined where there is %s', (_title, headers) => {
    expect(readHeader(headers, 'retry-after')).toBeUndefined();
  });

  it('is found behind another form of itself that says nothing', () => {
    expect(readHeader({ 'Retry-After': null, 'retry-after': '5' }, 'retry-after')).toBe('5');
  });
});
