import { nodesOf } from './nodes.js';

const [own = ''] = process.versions.node.split('.');
const running = { version: own, program: process.execPath };
const told = 'Node 97, 98 is not in .nodes, where .ci/run puts it';

describe('tests that run on several versions of Node', () => {
  const { CI } = process.env;
  afterEach(() => {
    if (CI === undefined) delete process.env['CI'];
    else process.env['CI'] = CI;
  });

  it('run on the one that runs them', () => {
    expect(nodesOf([own])).toEqual([running]);
  });

  it('leave out those that are not there', () => {
    delete process.env['CI'];
    expect(nodesOf(['97', own, '98'])).toEqual([running]);
  });

  it('fail in CI instead', () => {
    process.env['CI'] = 'true';
    expect(() => nodesOf(['97', '98'])).toThrow(told);
  });
});
