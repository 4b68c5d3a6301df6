import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { run } from './run.js';
import { svg } from './svg.js';
import { heading, introduction, line, summaryText, type Paint } from './text.js';
import { summarize } from './timeline.js';

const usage = 'Usage: npm run demo -- [--real-time] [--svg FILE] [--help]';
const help = `${usage}

Shows a circuit breaker at work, against a server of its own: a minute in 6 s.

  --real-time   as slowly as in life
  --svg FILE    draw the timeline too
  --help        print this`;

const paint: Paint = (format, text) => styleText(format, text, { stream: process.stdout });

function optionsOf(args: string[]): { realTime: boolean; svg: string | undefined; help: boolean } {
  const { values } = parseArgs({
    args,
    options: {
      'real-time': { type: 'boolean', default: false },
      svg: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.svg === '') {
    throw Object.assign(new TypeError("Option '--svg <value>' argument missing"), {
      code: 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE',
    });
  }
  return { realTime: values['real-time'], svg: values.svg, help: values.help };
}

async function demonstrate(speed: number, svgFile: string | undefined): Promise<void> {
  if (svgFile !== undefined) await mkdir(dirname(svgFile), { recursive: true });
  console.log(`${introduction(speed)}\n\n${heading(paint)}`);
  const timeline = await run(speed, (entry) => console.log(line(entry, paint)));
  const summary = summarize(timeline);
  console.log(`\n${summaryText(summary, paint)}`);
  if (svgFile !== undefined) {
    await writeFile(svgFile, svg(timeline));
    console.log(`\nThe picture is in ${svgFile}`);
  }
  if (summary.hits !== summary.sent) process.exitCode = 1;
}

// `| head` has seen enough.
process.stdout.on('error', () => process.exit());

try {
  const options = optionsOf(process.argv.slice(2));
  if (options.help) console.log(help);
  else await demonstrate(options.realTime ? 1 : 10, options.svg);
} catch (error) {
  const { message, code = '' } = error as NodeJS.ErrnoException;
  const isMisused = code.startsWith('ERR_PARSE_ARGS_');
  console.error(isMisused ? `${message.split('. ')[0]}\n${usage}` : message);
  process.exitCode = isMisused ? 2 : 1;
}
