/** The large picture of one circuit, and a slider that reads any moment of it. */
export const chart = /* js */ `
const chartHeight = 168;

function createChart() {
  const marks = shape('g');
  const axis = shape('g');
  const cursor = shape('path', { class: 'cursor' });
  const svg = shape('svg', { class: 'chart', role: 'img' }, axis, marks, cursor);
  const slider = element('input', {
    type: 'range',
    class: 'moment',
    min: '0',
    max: String(buckets - 1),
    value: String(buckets - 1),
    'aria-label': 'Moment of the last 10 minutes',
  });
  const reading = element('p', { class: 'reading soft' });
  /** @type {DrawnTimeline | undefined} */
  let timeline;
  /** The bucket that is read; the last one until another is chosen. @type {number | undefined} */
  let chosen;

  const place = () => ({
    width: Math.max(svg.clientWidth, 200),
    top: 18,
    lane: 104,
    laneHeight: 6,
    bottom: chartHeight - 22,
    gap: svg.clientWidth < 600 ? 0 : 0.2,
  });

  function redraw() {
    if (timeline === undefined) return;
    const here = place();
    svg.setAttribute('viewBox', '0 0 ' + here.width + ' ' + chartHeight);
    svg.setAttribute('aria-label', summaryOf(timeline));
    drawPaths(marks, pathsOf(timeline, here));
    axis.replaceChildren(...axisOf(timeline, here));
    const oldest = oldestOf(timeline);
    if (chosen !== undefined && chosen < oldest) chosen = undefined;
    slider.value = String((chosen ?? timeline.bucket) - oldest);
    read();
  }

  function read() {
    if (timeline === undefined) return;
    const at = Number(slider.value);
    const { width, top, bottom } = place();
    const x = ((at + 0.5) * width) / buckets;
    cursor.setAttribute('d', chosen === undefined ? '' : 'M' + x + ' ' + top + 'V' + bottom);
    const text = readingOf(timeline, at);
    setText(reading, text);
    slider.setAttribute('aria-valuetext', text);
  }

  /** @param {number} at */
  function choose(at) {
    if (timeline === undefined) return;
    chosen = at >= buckets - 1 ? undefined : oldestOf(timeline) + at;
    slider.value = String(at);
    read();
  }

  slider.addEventListener('input', () => choose(Number(slider.value)));
  svg.addEventListener('pointermove', (event) => {
    choose(Math.max(0, Math.floor((buckets * event.offsetX) / place().width)));
  });
  svg.addEventListener('pointerleave', () => choose(buckets - 1));
  const observer = new ResizeObserver(redraw);
  observer.observe(svg);

  return {
    content: element('div', {}, svg, slider, reading),
    /** @param {DrawnTimeline} news */
    draw(news) {
      timeline = news;
      redraw();
    },
    close() {
      observer.disconnect();
    },
  };
}

/** @param {DrawnTimeline} timeline */
function oldestOf({ bucket }) {
  return bucket - buckets + 1;
}

/** @param {DrawnTimeline} timeline @param {number} at */
function readingOf(timeline, at) {
  const { states, success, failure, refused } = timeline;
  const state = drawnStates[Number(states[at])];
  const time = timeText(dateOf((oldestOf(timeline) + at) * bucketMs));
  if (state === undefined) return time + ': before this page was watching';
  const counts = [
    countText(success[at] ?? 0) + ' succeeded',
    countText(failure[at] ?? 0) + ' failed',
    countText(refused[at] ?? 0) + ' refused',
  ];
  return time + ': ' + kinds[state].label.toLowerCase() + ' – ' + counts.join(', ') + ' in 3 s';
}

/**
 * A line at every second full minute, or fifth where there is little room.
 * @param {DrawnTimeline} timeline
 * @param {Place} place
 */
function axisOf({ bucket, success, failure }, { width, top, lane, bottom }) {
  const end = dateOf((bucket + 1) * bucketMs).getTime();
  const step = (width < 500 ? 5 : 2) * 60000;
  const span = buckets * bucketMs;
  const parts = [];
  for (let at = Math.floor(end / step) * step; at > end - span; at -= step) {
    const x = width * (1 - (end - at) / span);
    const text = new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
    parts.push(shape('path', { class: 'grid', d: 'M' + x.toFixed(1) + ' ' + top + 'V' + bottom }));
    if (x < 24 || x > width - 24) continue;
    parts.push(
      shape('text', { x: x.toFixed(1), y: chartHeight - 6, 'text-anchor': 'middle' }, text),
    );
  }
  const most = Math.max(...success.map((count, index) => count + (failure[index] ?? 0)));
  if (most > 0) parts.push(shape('text', { x: 0, y: 11 }, 'peak ' + countText(most) + ' in 3 s'));
  parts.push(shape('path', { class: 'grid', d: 'M0 ' + lane + 'H' + width }));
  return parts;
}
`;
