/** Opening, closing and disabling by hand, where the page may. */
export const commands = /* js */ `
const hasControl = document.getElementById('command') !== null;

/** @type {Record<string, { label: string, does: string }>} */
const commandTexts = {
  open: { label: 'Open', does: 'Every request is refused until it is closed by hand.' },
  close: { label: 'Close', does: 'Requests are sent again, and its window begins empty.' },
  disable: {
    label: 'Disable',
    does: 'Every request is sent and nothing opens it, until it is closed by hand.',
  },
};

/** @param {Row} row */
function createCommands(row) {
  const buttons = Object.entries(commandTexts).map(([command, { label }]) => {
    const button = element('button', { type: 'button', class: 'action' }, label + '…');
    button.addEventListener('click', () => ask(row, command));
    return button;
  });
  return element('div', { class: 'commands', role: 'group', 'aria-label': 'Commands' }, ...buttons);
}

/** @param {Row} row @param {string} command */
function ask(row, command) {
  const { label = command, does = '' } = commandTexts[command] ?? {};
  /** @type {HTMLDialogElement} */
  const dialog = byId('command');
  /** @type {HTMLInputElement} */
  const all = byId('command-all');
  const send = byId('command-send');
  setText(byId('command-title'), label + ' ' + nameOf(row));
  setText(byId('command-text'), does);
  setText(byId('command-error'), '');
  setText(send, label);
  send.classList.toggle('danger', command !== 'close');
  all.checked = false;
  byId('command-all-label').hidden = row.key === null || row.key === 'default';
  dialog.returnValue = '';
  dialog.onsubmit = (event) => {
    event.preventDefault();
    const key = row.key === null || all.checked ? null : row.key;
    void obey({ breaker: row.breaker, key, command }).then((error) => {
      setText(byId('command-error'), error);
      if (error === '') dialog.close();
    });
  };
  dialog.showModal();
}

/**
 * Returns what went wrong.
 * @param {{ breaker: string, key: string | null, command: string }} order
 */
async function obey(order) {
  /** @type {HTMLInputElement} */
  const token = byId('command-token');
  try {
    const response = await fetch(base + 'command', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-status-token': token.value },
      body: JSON.stringify(order),
    });
    if (response.ok) return '';
    if (response.status === 403) return 'The token is wrong.';
    const { error } = /** @type {{ error?: unknown }} */ (await response.json());
    return String(error ?? 'That went wrong.');
  } catch {
    return 'The server could not be reached, or the token is no plain text.';
  }
}

if (hasControl) {
  byId('command-cancel').addEventListener('click', () => {
    /** @type {HTMLDialogElement} */
    const dialog = byId('command');
    dialog.close();
  });
}
`;
