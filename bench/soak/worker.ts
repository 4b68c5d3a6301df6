import { soak, type SoakOptions } from './soak.js';

const options = JSON.parse(process.argv[2] ?? '') as SoakOptions;
console.log(JSON.stringify(await soak(options, (line) => console.error(line))));
