import { begin, type StatusResponse } from '../http.js';
import { html } from './html.js';

/** Everything is on the page itself: nothing else may run, load, or be sent anywhere. */
const policy = (nonce: string) =>
  [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `connect-src 'self'`,
    `img-src data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');

export function answerPage(response: StatusResponse, title: string, hasControl: boolean): void {
  const nonce = createNonce();
  begin(response, 200, 'text/html; charset=utf-8');
  response.setHeader('content-security-policy', policy(nonce));
  response.end(html({ title, nonce, hasControl }));
}

function createNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
