import type { System } from './system.js';

export const bare: System = {
  name: 'axios alone',
  protect: (client) => ({ send: (url) => client.get(url), isRefusal: () => false }),
};
