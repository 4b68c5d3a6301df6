import { STATUS_CODES } from 'node:http';
import {
  outcomeOf,
  scenario,
  type Entry,
  type Outcome,
  type RequestEntry,
  type Summary,
} from './timeline.js';

type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow';
export type Paint = (format: Format, text: string) => string;

const colours: Record<Outcome, Format> = {
  success: 'green',
  error: 'yellow',
  'rate-limited': 'red',
  refused: 'dim',
};

export function introduction(speed: number): string {
  const every = duration(scenario.requestEvery);
  const rest = duration(scenario.cooldown);
  return [
    `A client sends GET /test/ every ${every}. The server answers every 3rd request with`,
    '400 (the request is wrong) and every 5th with 429 (it is asked too often).',
    'A circuit breaker in the client lets requests through while it is closed.',
    `At a 429 it opens: for ${rest} it refuses every request, so the server can rest.`,
    ...(speed === 1 ? [] : [`Shown ${speed} times faster; --real-time takes the time it says.`]),
  ].join('\n');
}

export function heading(paint: Paint): string {
  return paint('dim', '     time   request   answer                     breaker');
}

export function line(entry: Entry, paint: Paint): string {
  const time = paint('dim', seconds(entry.at).padStart(7));
  switch (entry.type) {
    case 'OPEN': {
      const name = paint('bold', paint('red', 'OPEN '));
      const sentence = `requests are refused for ${duration(entry.cooldownMs)} (reason: ${entry.reason})`;
      return `${paint('red', '┌')} ${time}   ${name}     ${sentence}`;
    }
    case 'CLOSE': {
      const name = paint('bold', paint('green', 'CLOSE'));
      const sentence = `after ${duration(entry.openForMs)}: requests are sent again`;
      return `${paint('red', '└')} ${time}   ${name}     ${sentence}`;
    }
    case 'request': {
      const outcome = outcomeOf(entry);
      const margin = outcome === 'refused' ? paint('red', '│') : ' ';
      const number = `#${entry.number}`.padStart(5);
      const answer = paint(colours[outcome], answerText(entry).padEnd(24));
      return `${margin} ${time}   ${number}     ${answer}   ${entry.state}`;
    }
  }
}

export function answerText({ answer }: RequestEntry): string {
  if (answer === 'refused') return 'refused, not sent';
  return `${answer} ${STATUS_CODES[answer] ?? ''}`.trimEnd();
}

export function summaryText(summary: Summary, paint: Paint): string {
  const { requests, sent, refused, opened, closed, hits, endedAt } = summary;
  const row = (name: string, count: number, note: string) =>
    `  ${name.padEnd(10)}${paint('bold', String(count).padStart(3))}   ${note}`;
  return [
    `${requests} requests in ${duration(endedAt)}`,
    row('sent', sent, 'reached the server'),
    row('refused', refused, 'stopped by the breaker, in the client'),
    row('opened', opened, 'times, each after a 429'),
    row('closed', closed, 'times, each by itself'),
    row('hits', hits, hitsNote(summary, paint)),
  ].join('\n');
}

function hitsNote({ sent, hits }: Summary, paint: Paint): string {
  if (hits === sent) return "by the server's own count: equal to sent";
  return paint('red', `by the server's own count, but ${sent} were sent`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

export function duration(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`;
}
