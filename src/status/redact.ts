const longest = 300;
const most = 2_000;
const addresses = /\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>]+/gi;
const queries = /\?[^\s"'<>]*=[^\s"'<>]*/g;

/** A message as others may read it: without the credentials, query and fragment of any address in it. */
export function redact(message: string): string {
  const safe = start(message)
    .replace(addresses, withoutSecrets)
    .replace(queries, '?…')
    .replace(/\s+/g, ' ')
    .trim();
  return safe.length > longest ? `${safe.slice(0, longest - 1)}…` : safe;
}

/** Enough of a message to show, which does not end in the middle of an address. */
function start(message: string): string {
  return message.length > most ? message.slice(0, most).replace(/\S*$/, '') : message;
}

function withoutSecrets(address: string): string {
  const [scheme = '', rest = ''] = address.split('://', 2);
  const [place = ''] = rest.split(/[?#]/, 1);
  const [authority = '', ...path] = place.split('/');
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const cut = place.length < rest.length ? '?…' : '';
  return `${scheme}://${[host, ...path].join('/')}${cut}`;
}
