/** Puts it all together. */
export const main = /* js */ `
function render() {
  renderRows();
  renderOverview();
}

function renderAnew() {
  mostRows = stepOfRows;
  sortAnew();
  render();
}

search.addEventListener('input', renderAnew);
order.addEventListener('change', renderAnew);
byId('tools').addEventListener('submit', (event) => event.preventDefault());
byId('more-button').addEventListener('click', () => {
  mostRows += stepOfRows;
  render();
});
document.addEventListener('visibilitychange', refreshTimelines);
setInterval(() => {
  listenForSilence();
  if (!document.hidden) render();
}, 1000);
connect();
`;
