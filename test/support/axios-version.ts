import axios from 'axios';

const [major = 0, minor = 0] = axios.VERSION.split('.').map(Number);

/** Whether the axios under test is that version, or a later one. */
export const isAxiosFrom = (wantedMajor: number, wantedMinor: number): boolean =>
  major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);

/** axios 1.0 cannot send the config of an earlier request: it makes nonsense of its headers. */
export const sendsConfigsAgain = !isAxiosFrom(1, 0) || isAxiosFrom(1, 1);

/** For tests that a version of axios cannot pass, or need not run again: there they are skipped. */
export const describeIf = (condition: boolean): jest.Describe =>
  condition ? describe : describe.skip;
