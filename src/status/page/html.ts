import { favicon, icons } from './icons.js';
import { legend } from './legend.js';
import { script } from './script.js';
import { style } from './style.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export interface PageSetup {
  readonly title: string;
  /** What style and script are known by, to a browser that takes no others. */
  readonly nonce: string;
  readonly hasControl: boolean;
}

const columns = ['Failed', 'Slow', 'Refused', 'In flight', 'Queued', 'p50', 'p95'];

const orders = {
  worst: 'Worst first',
  name: 'By name',
  refused: 'Most refused',
  failed: 'Most failed',
  slowest: 'Slowest',
};

const commandDialog = `<dialog id="command" aria-labelledby="command-title">
<form method="dialog">
<h2 id="command-title"></h2>
<p id="command-text"></p>
<label class="check" id="command-all-label"><input type="checkbox" id="command-all"><span>All circuits of this breaker, also those to come</span></label>
<label>Token<input type="password" id="command-token" autocomplete="off" required></label>
<p class="error" id="command-error" role="alert"></p>
<p class="buttons"><button class="action" type="button" id="command-cancel">Cancel</button><button class="action" id="command-send"></button></p>
</form>
</dialog>`;

/** The whole page. What it shows comes later, and only as text. */
export function html({ title, nonce, hasControl }: PageSetup): string {
  const heading = escapeHtml(title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${heading}</title>
<link rel="icon" href="${favicon}">
<style nonce="${nonce}">${style}</style>
</head>
<body>
${icons}
<header class="top">
<h1>${heading}</h1>
<p class="connection" id="connection" role="status">Connecting</p>
</header>
<main>
<noscript><p class="stale">This page needs JavaScript.</p></noscript>
<p class="stale" id="stale" hidden></p>
<div class="overview">
<h2 id="summary">Waiting for the server</h2>
<div class="filters" id="filters" role="group" aria-label="Show only"></div>
</div>
<form class="tools" id="tools" role="search">
<label>Find <input type="search" id="search" placeholder="Breaker or key" autocomplete="off" spellcheck="false"></label>
<label>Order <select id="order">${Object.entries(orders)
    .map(([value, text]) => `<option value="${value}">${text}</option>`)
    .join('')}</select></label>
</form>
<table class="circuits" id="circuits" role="table" aria-labelledby="summary">
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col" class="state">State</th>
<th role="columnheader" scope="col" class="name">Circuit</th>
<th role="columnheader" scope="col" class="picture">Last 10 minutes</th>
${columns.map((text) => `<th role="columnheader" scope="col" class="figure">${text}</th>`).join('\n')}
</tr></thead>
<tbody role="rowgroup" id="rows"></tbody>
</table>
<p class="empty" id="empty" hidden></p>
<p class="more" id="more" hidden><span id="more-text"></span><button class="action" type="button" id="more-button">Show more</button></p>
</main>
<footer class="legend">${legend}</footer>
<p class="visually-hidden" id="announcements" aria-live="polite"></p>
${hasControl ? commandDialog : ''}
<script type="module" nonce="${nonce}">${script}</script>
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
