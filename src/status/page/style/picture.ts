/** The pictures, and what a row shows when it is opened. */
export const picture = /* css */ `
.strip {
  display: block;
  width: 100%;
  height: 34px;
}
.chart {
  display: block;
  width: 100%;
  height: 168px;
  touch-action: pan-y;
}
:is(.strip, .chart) path {
  shape-rendering: crispEdges;
}
.mark-success {
  fill: var(--success);
}
.mark-failure {
  fill: var(--red);
}
.mark-refused {
  fill: var(--refused);
}
.lane-closed {
  fill: var(--green);
}
.lane-disabled {
  fill: var(--grey);
}
.lane-half-open {
  fill: var(--amber);
}
.lane-open,
.lane-forced-open {
  fill: var(--red);
}
.band-half-open {
  fill: var(--amber-tint);
}
.band-open,
.band-forced-open {
  fill: var(--red-tint);
}
.band-disabled {
  fill: var(--grey-tint);
}
.chart text {
  font-size: 11.5px;
  fill: var(--soft);
}
.grid {
  stroke: var(--rule);
}
.cursor {
  stroke: var(--ink);
}
.opened {
  display: grid;
  gap: 14px;
  padding: 6px 4px 14px;
}
.opened .reading {
  min-height: 1.45em;
  font-size: 13px;
}
.moment {
  display: block;
  width: 100%;
  height: 24px;
  margin: 0;
  background: none;
  appearance: none;
  cursor: pointer;
}
.moment::-webkit-slider-runnable-track {
  height: 3px;
  border-radius: 2px;
  background: var(--strong-rule);
}
.moment::-moz-range-track {
  height: 3px;
  border-radius: 2px;
  background: var(--strong-rule);
}
.moment::-webkit-slider-thumb {
  width: 14px;
  height: 14px;
  margin-top: -5.5px;
  border-radius: 50%;
  background: var(--soft);
  appearance: none;
}
.moment::-moz-range-thumb {
  width: 14px;
  height: 14px;
  border: 0;
  border-radius: 50%;
  background: var(--soft);
}
.facts {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(230px, 1fr));
  gap: 18px 32px;
}
.facts dl {
  display: grid;
  grid-template-columns: auto 1fr;
  gap: 3px 14px;
  margin-top: 6px;
}
.facts dt {
  color: var(--soft);
}
.facts dd {
  overflow-wrap: anywhere;
}
.facts ol {
  display: grid;
  gap: 3px;
  margin-top: 6px;
  list-style: none;
}
.commands {
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  margin-top: 14px;
}
@media (max-width: 1060px) {
  .opened {
    padding: 0 0 6px;
  }
}
@media (forced-colors: active) {
  .badge,
  .filter[aria-pressed='true'] {
    border: 1px solid;
  }
  .strip,
  .chart {
    forced-color-adjust: none;
  }
}
`;
