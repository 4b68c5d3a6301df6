import { startTestServer } from './start.js';

const { url } = await startTestServer(Number(process.env['PORT'] ?? 5000));
console.log(`Test server: ${url}`);
