export const size = { width: 900, height: 380 };

/** From the start of time to its end. */
export const x = { from: 118, to: 866 };

export const y = {
  band: 92,
  server: 146,
  breaker: 194,
  client: 252,
  axis: 268,
  legend: 322,
  caption: 354,
};

export function text(className: string, x: number, y: number, content: string): string {
  return `<text class="${className}" x="${x}" y="${y}">${escape(content)}</text>`;
}

export function escape(content: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  return content.replace(/[&<>]/g, (character) => entities[character] ?? character);
}
