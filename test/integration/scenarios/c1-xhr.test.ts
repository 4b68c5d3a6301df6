/**
 * @jest-environment jsdom
 * @jest-environment-options {"customExportConditions": ["node"]}
 */
import { expectQuietProcess } from '../../support/quiet-process.js';
import { expectThirdTimeoutOpens, timeoutNames } from '../../support/timeouts.js';

describe('C1 · Timeouts under every name: xhr', () => {
  expectQuietProcess();

  it.each(timeoutNames)(
    'opens after the third timeout of the xhr adapter $naming',
    ({ config, error }) => expectThirdTimeoutOpens(config, error),
  );
});
