/** The fields that a caller wrote, and none that a polluted prototype adds. */
export function ownFields<Fields extends object>(given: Fields): Fields {
  return Object.assign(Object.create(null) as Fields, given);
}
