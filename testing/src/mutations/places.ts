import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A change of one place in the text of a file. */
export interface Change {
  /** Offsets in the text; `end` is the first that stays. */
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

/** The part of TypeScript's syntax tree that is read here. */
interface Node {
  readonly kind: number;
  readonly end: number;
  readonly left?: Node;
  readonly right?: Node;
  readonly operatorToken?: Node;
  readonly condition?: Node;
  readonly expression?: Node;
  readonly parent?: Node;
  readonly thenStatement?: Node;
  /** Of a block. */
  readonly statements?: readonly Node[];
  readonly body?: Node;
  getStart(): number;
  getText(): string;
}

interface Compiler {
  readonly SyntaxKind: Readonly<Record<string, number>>;
  readonly ScriptTarget: Readonly<Record<string, number>>;
  createSourceFile(name: string, text: string, target: number, parents: boolean): Node;
  forEachChild(node: Node, visit: (child: Node) => void): void;
}

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};
/** From here on one more is within what a promise such as a time or a size leaves open. */
const LARGE = 100;
const LOG = /\blog(?:ger)?\b/i;
/** What only another system than that of the tests executes. */
const OTHER_SYSTEM = /^process\.platform === '(?!linux')/;

/**
 * Finds every change of one comparison, constant, condition or guard statement.
 * @returns a function from the text of a file to its changes, in the order of the text
 * @param root of the repository; the parser is a TypeScript beside the linter, since the compiler of the workspaces has no interface
 * @throws Error where the packages of the linter are not installed
 */
export function placesFinder(root: string): (text: string) => Change[] {
  const compiler = createRequire(join(root, 'lint/package.json'))('typescript') as Compiler;
  const { SyntaxKind: Kind } = compiler;
  const types = [Kind['LiteralType'], Kind['EnumMember'], Kind['ImportDeclaration'], Kind['ExportDeclaration']];
  return (text) => {
    const found: Change[] = [];
    const visit = (node: Node): void => {
      if (types.includes(node.kind) || isOfOtherSystem(node)) return;
      found.push(...changesOf(node, Kind));
      compiler.forEachChild(node, visit);
    };
    visit(compiler.createSourceFile('file.ts', text, compiler.ScriptTarget['Latest']!, true));
    return found.sort((a, b) => a.start - b.start || a.end - b.end);
  };
}

function changesOf(node: Node, Kind: Compiler['SyntaxKind']): Change[] {
  const replace = (part: Node, to: string): Change => ({ start: part.getStart(), end: part.end, to });
  const changes: Change[] = [];
  const condition = conditionOf(node, Kind);
  if (condition) changes.push(replace(condition, `!(${condition.getText()})`));
  switch (node.kind) {
    case Kind['BinaryExpression']: {
      const operator = node.operatorToken!.getText();
      if (OPERATORS[operator]) changes.push(replace(node.operatorToken!, OPERATORS[operator]));
      if (operator === '&&' || operator === '||') {
        changes.push(replace(node, node.left!.getText()), replace(node, node.right!.getText()));
      }
      break;
    }
    case Kind['NumericLiteral']:
      changes.push(...numbersNear(node.getText()).map((to) => replace(node, to)));
      break;
    case Kind['TrueKeyword']:
      changes.push(replace(node, 'false'));
      break;
    case Kind['FalseKeyword']:
      changes.push(replace(node, 'true'));
      break;
    case Kind['ThrowStatement']:
    case Kind['ReturnStatement']:
      if (!isEnd(node, Kind)) changes.push(replace(node, ';'));
      break;
    case Kind['ExpressionStatement']:
      if (isCall(node.expression!, Kind) && !LOG.test(node.getText().split('(', 1)[0]!))
        changes.push(replace(node, ';'));
  }
  return changes;
}

/** Whether a function ends here without a value, as it would anyway. */
function isEnd(node: Node, Kind: Compiler['SyntaxKind']): boolean {
  const isEmpty = !node.expression || node.expression.getText() === 'undefined';
  const block = node.parent;
  const isLast = block?.statements?.at(-1) === node && block === block.parent?.body;
  return node.kind === Kind['ReturnStatement'] && isEmpty && isLast;
}

function isOfOtherSystem(node: Node): boolean {
  const { parent } = node;
  return node === parent?.thenStatement && OTHER_SYSTEM.test(parent.expression!.getText());
}

function conditionOf(node: Node, Kind: Compiler['SyntaxKind']): Node | undefined {
  if (node.kind === Kind['ConditionalExpression']) return node.condition;
  return node.kind === Kind['IfStatement'] || node.kind === Kind['WhileStatement'] ? node.expression : undefined;
}

function isCall(node: Node, Kind: Compiler['SyntaxKind']): boolean {
  return node.kind === Kind['AwaitExpression'] ? isCall(node.expression!, Kind) : node.kind === Kind['CallExpression'];
}

/** Twice and nothing, of a small number also one more: the edge of a large one is that of its comparison. */
function numbersNear(text: string): string[] {
  const value = Number(text.replaceAll('_', ''));
  return [...new Set([value < LARGE ? value + 1 : 0, value * 2, 0])]
    .filter((near) => near !== value && !Number.isNaN(near))
    .map(String);
}
