const longest = 200;
// Longer ones are cut before they are looked through, which takes time by their length.
const longestRead = 2_000;

const url = /([a-z][a-z\d+\-.]{0,20}:\/\/)(?:[^\s/?#]*@)?([^\s?#]*)\S*/gi;

/**
 * What we show of a message that is not ours: its first line, cut short, and nothing of what it quotes and
 * of the userinfo, query and fragment of URLs. Those may hold what was sent.
 */
export function oneLine(message: string): string {
  const [line = ''] = message.slice(0, longestRead).split(/[\r\n\u2028\u2029]/, 1);
  const shown = line.replace(/"[^"]*"?/g, '"…"').replace(url, '$1$2');
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}
