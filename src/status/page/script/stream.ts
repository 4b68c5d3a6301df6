/** Hears the news of the server, and comes back by itself when that was away. */
export const stream = /* js */ `
const shortestPauseMs = 1000;
const longestPauseMs = 10000;
/** The server lets itself be heard every three seconds. */
const longestSilenceMs = 12000;

let pauseMs = shortestPauseMs;
let heardAt = performance.now();
/** @type {EventSource | undefined} */
let source;

function connect() {
  heardAt = performance.now();
  source = new EventSource(base + 'events');
  source.addEventListener('rows', ({ data }) => {
    showConnection(true);
    pauseMs = shortestPauseMs;
    const { changes, isRearranged } = learn(JSON.parse(data));
    if (isRearranged || changes.length > 0) sortAnew();
    announce(changes);
    render();
    if (changes.length > 0) refreshTimelines();
  });
  source.addEventListener('beat', () => {
    showConnection(true);
    refreshTimelines();
  });
  // Not left to the browser, which gives up at an answer such as 502.
  source.addEventListener('error', reconnect);
}

function reconnect() {
  source?.close();
  source = undefined;
  showConnection(false);
  setTimeout(connect, pauseMs);
  pauseMs = Math.min(2 * pauseMs, longestPauseMs);
}

function listenForSilence() {
  if (source !== undefined && performance.now() - heardAt > longestSilenceMs) reconnect();
}

/** @param {boolean} isLive */
function showConnection(isLive) {
  if (isLive) heardAt = performance.now();
  const connection = byId('connection');
  connection.dataset.status = isLive ? 'live' : 'lost';
  setText(connection, isLive ? 'Live' : 'Reconnecting');
  const stale = byId('stale');
  stale.hidden = isLive || rows.size === 0;
  const since = timeText(new Date(Date.now() + heardAt - performance.now()));
  if (!isLive)
    setText(stale, 'The server cannot be reached. This is what was known at ' + since + '.');
}
`;
