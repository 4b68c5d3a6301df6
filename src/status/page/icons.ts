const stroke = 'fill="none" stroke="currentColor"';
const octagon = 'M4 1h4l3 3v4l-3 3H4L1 8V4z';

/** Each state has a shape of its own, for those who do not see its colour. */
const shapes = {
  closed: `<circle cx="6" cy="6" r="4.5" ${stroke} stroke-width="2"/>`,
  open: `<path d="${octagon}" fill="currentColor"/>`,
  'forced-open': `<path d="${octagon}M3 5v2h6V5z" fill="currentColor" fill-rule="evenodd"/>`,
  'half-open': `<path d="M6 1l5 5-5 5-5-5z" ${stroke} stroke-width="1.5"/><path d="M6 1v10L1 6z" fill="currentColor"/>`,
  observed: `<path d="${octagon}" ${stroke} stroke-width="1.5" stroke-dasharray="2 1.5"/>`,
  disabled: `<circle cx="6" cy="6" r="4.5" ${stroke} stroke-width="1.5"/><path d="M3 9l6-6" ${stroke} stroke-width="1.5"/>`,
};

const symbols = Object.entries(shapes).map(
  ([name, drawing]) => `<symbol id="icon-${name}" viewBox="0 0 12 12">${drawing}</symbol>`,
);

/** Not drawn itself: the page uses the parts. */
export const icons = `<svg hidden aria-hidden="true">${symbols.join('')}</svg>`;

const switchOnGrey =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='4' fill='#596373'/>" +
  "<path d='M2 11h3l5-6M11 11h3' stroke='#fff' stroke-width='2' fill='none'/></svg>";

export const favicon = `data:image/svg+xml,${encodeURIComponent(switchOnGrey)}`;
