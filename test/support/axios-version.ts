import axios from 'axios';
import manifest from '../../package.json' with { type: 'json' };

const [major = 0, minor = 0] = axios.VERSION.split('.').map(Number);

/** Whether the axios under test is that version, or a later one. */
export const isAxiosFrom = (wantedMajor: number, wantedMinor: number): boolean =>
  major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);

/** Whether this is the newest axios that is installed, where it is enough to run a test once. */
export const isLatestAxios = axios.VERSION === manifest.devDependencies.axios;

/** axios 1.0 and 1.1 cannot send the config of an earlier request: they make nonsense of its headers. */
export const sendsConfigsAgain = !isAxiosFrom(1, 0) || isAxiosFrom(1, 2);

/** For tests that a version of axios cannot pass, or need not run again: there they are skipped. */
export const describeIf = (condition: boolean): jest.Describe =>
  condition ? describe : describe.skip;
