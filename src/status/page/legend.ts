const items = [
  ['M3 3h4v7H3zM9 5h4v5H9zM15 2h4v8h-4z', 'mark-success', 'succeeded, above the line'],
  ['M3 6h4v4H3zM9 8h4v2H9zM15 4h4v6h-4z', 'mark-failure', 'failed, above the line'],
  ['M3 8h4v6H3zM9 8h4v8H9zM15 8h4v4h-4z', 'mark-refused', 'refused, below the line'],
  ['M0 9h22v1H0z', 'lane-closed', 'closed: thin'],
  ['M1 8h4v4H1zM9 8h4v4H9zM17 8h4v4h-4z', 'lane-half-open', 'half-open: dashed'],
  ['M0 8h22v4H0z', 'lane-open', 'open: thick'],
] as const;

const marks = items
  .map(
    ([path, name, text]) =>
      `<span><svg viewBox="0 0 22 18" aria-hidden="true"><path class="${name}" d="${path}"/></svg>${text}</span>`,
  )
  .join('\n');

/** What the marks of the pictures and the figures mean. */
export const legend = `<p>${marks}</p>
<p>Failed and slow: the share in the window of now. Refused: in the last 10 minutes. p50 and p95: of the last minute.</p>`;
