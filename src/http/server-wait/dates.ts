const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const month = months.join('|');
const weekday = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const fullWeekday = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const time = String.raw`(?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})`;
const zone = String.raw`(?:GMT|UTC|(?<zone>[+-]\d{4}))`;

// Never Date.parse: it takes much that is no date, and reads dates without a zone as local time.
const forms = [
  // Mon, 30 Nov 2026 12:00:00 GMT
  String.raw`${weekday}, (?<day>\d{2}) (?<month>${month}) (?<year>\d{4}) ${time} ${zone}`,
  // Monday, 30-Nov-26 12:00:00 GMT
  String.raw`${fullWeekday}, (?<day>\d{2})-(?<month>${month})-(?<shortYear>\d{2}) ${time} ${zone}`,
  // Mon Nov 30 12:00:00 2026
  String.raw`${weekday} (?<month>${month}) (?<day>[ \d]\d) ${time} (?<year>\d{4})`,
  // 2026-11-30T12:00:00.5+01:00, also without seconds
  String.raw`(?<year>\d{4})-(?<monthNumber>\d{2})-(?<day>\d{2})[Tt ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?<fraction>\.\d{1,9})?)?(?:[Zz]|(?<zone>[+-]\d{2}:?\d{2}))`,
].map((form) => new RegExp(`^${form}$`));

type Parts = Readonly<Record<string, string | undefined>>;

/**
 * Reads the three forms of an HTTP date, with a numeric zone too, and RFC 3339 with a zone, as epoch ms.
 * `now`, in epoch ms, decides the century of a year of two digits.
 */
export function readDate(text: string, now: number): number | undefined {
  for (const form of forms) {
    const parts = form.exec(text)?.groups;
    if (parts === undefined) continue;
    const { year, shortYear } = parts;
    return shortYear === undefined
      ? instantOf(parts, Number(year))
      : instantNear(parts, Number(shortYear), now);
  }
  return undefined;
}

function instantOf(parts: Parts, year: number): number | undefined {
  const { monthNumber, fraction = '' } = parts;
  const [day, hour, minute] = [
    Number(parts['day']),
    Number(parts['hour']),
    Number(parts['minute']),
  ];
  const second = Number(parts['second'] ?? 0);
  const monthIndex =
    monthNumber === undefined ? months.indexOf(parts['month'] ?? '') : Number(monthNumber) - 1;
  const start = new Date(Date.UTC(2000, 0, 1));
  start.setUTCFullYear(year, monthIndex, day);
  const isRealDay = start.getUTCMonth() === monthIndex;
  const offset = offsetOf(parts['zone']);
  if (!isRealDay || hour > 23 || minute > 59 || second > 60 || offset === undefined)
    return undefined;
  const ms = ((hour * 60 + minute - offset) * 60 + second + Number(`0${fraction}`)) * 1_000;
  return start.getTime() + ms;
}

/** RFC 9110, 5.6.7: what would be more than 50 years ahead is of the century before. */
function instantNear(parts: Parts, shortYear: number, now: number): number | undefined {
  const limit = new Date(now);
  const thisYear = limit.getUTCFullYear();
  limit.setUTCFullYear(thisYear + 50);
  const nextCentury = thisYear - (thisYear % 100) + 100;
  return [nextCentury, nextCentury - 100, nextCentury - 200]
    .map((century) => instantOf(parts, century + shortYear))
    .find((at) => at !== undefined && at <= limit.getTime());
}

/** Minutes east of Greenwich. */
function offsetOf(zone: string | undefined): number | undefined {
  if (zone === undefined) return 0;
  const digits = zone.replace(':', '');
  const hours = Number(digits.slice(1, 3));
  const minutes = Number(digits.slice(3));
  if (hours > 23 || minutes > 59) return undefined;
  return (digits.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
