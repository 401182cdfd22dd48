// Checks what needs the types of expressions, with the compiler of the repository: `node scripts/lint/types.mjs FOLDER...`, as `npm run lint` runs it.
// A line that has a reason to break a rule says so on the line before: `// types-disable RULE -- reason`.
import { relative, resolve } from 'node:path';
import { API } from 'typescript/unstable/sync';
import { knowledgeOf } from './knowledge.mjs';
import { rules } from './rules.mjs';

for (const folder of process.argv.slice(2))
  for (const { file, line, rule, text } of faultsIn(resolve(folder))) {
    const says = rules[rule]?.says ?? 'its declaration names what to use instead';
    console.log(`${relative(process.cwd(), file)}:${line} ${rule} (${says}): ${text}`);
    process.exitCode = 1;
  }

/** One compiler for each folder, since one for all of them takes twice the memory. */
function faultsIn(folder) {
  const api = new API({ cwd: folder });
  try {
    const config = resolve(folder, 'tsconfig.json');
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`${config} cannot be read`);
    const knowledge = knowledgeOf(project.checker);
    const files = project.rootFiles.filter((file) => !/\.generated\.ts$|\.d\.ts$|\/assembly\//.test(file));
    return files.flatMap((file) => faultsOfFile(project, knowledge, file));
  } finally {
    api.close();
  }
}

/** The types for all rules are fetched in one request: a request for each expression would take minutes. */
function faultsOfFile({ program, checker }, knowledge, file) {
  const source = program.getSourceFile(file);
  const questions = [];
  const visit = (node) => {
    for (const [rule, { ask, skip }] of Object.entries(rules)) {
      if (skip?.test(file)) continue;
      for (const [about, isFault] of ask(node, knowledge)) questions.push({ rule, about, isFault });
    }
    node.forEachChild(visit);
  };
  visit(source);
  const types = checker.getTypeAtLocation(questions.map(({ about }) => about));
  const lines = source.text.split('\n');
  const broken = questions.filter(({ isFault }, i) => types[i] && isFault(types[i]));
  const found = broken.map(({ rule, about }) => ({ rule, start: about.getStart(source), end: about.end }));
  const old = program.getSuggestionDiagnostics(file).filter(({ code }) => code === 6385 || code === 6387);
  return [...found, ...old.map(({ pos, end }) => ({ rule: 'deprecated', start: pos, end }))].flatMap((fault) => {
    const { rule, start, end } = fault;
    const line = source.text.slice(0, start).split('\n').length;
    const excuse = lines[line - 2]?.match(/\/\/ types-disable (\S+) -- \S/)?.[1];
    return excuse === rule ? [] : [{ file, line, rule, text: source.text.slice(start, end).split('\n')[0] }];
  });
}
