import { SyntaxKind } from 'typescript/unstable/ast';

const tests = /\.test\.tsx?$|\.test\.[a-z]+\.ts$/;
const ofTheRunner = ['test', 'it', 'describe', 'suite', 'inBrowser']; // the runner of tests awaits these itself

/**
 * The rules by name. `ask` returns the expressions whose type decides, each with a function that is true where this
 * type is a fault. `skip` matches the files that a rule leaves alone.
 */
export const rules = {
  'floating-promise': {
    says: 'a promise that nobody waits for: await it, return it, or say `void`',
    ask: (node, { isPromise, isPromiseList }) =>
      node.kind === SyntaxKind.ExpressionStatement
        ? valuesOf(node.expression)
            .filter((value) => !isHandled(value))
            .map((value) => [value, (type) => isPromise(type) || isPromiseList(type)])
        : [],
  },
  'await-of-no-promise': {
    says: 'there is nothing to wait for',
    ask: (node, { isThenable, isOpen }) =>
      node.kind === SyntaxKind.AwaitExpression ? [[node.expression, (type) => !isThenable(type) && !isOpen(type)]] : [],
  },
  'promise-as-condition': {
    says: 'a promise is always true: await it',
    ask: (node, { isPromise, members }) =>
      conditionsOf(node).map((tested) => [tested, (type) => isPromise(type) && members(type).length === 1]),
  },
  'async-where-nobody-waits': {
    says: 'the caller takes no promise, so a failure would end the process',
    skip: tests, // handlers of servers of a test
    ask: (node, { checker, parametersOf, returnsNothing }) => {
      if (![SyntaxKind.ArrowFunction, SyntaxKind.FunctionExpression].includes(node.kind)) return [];
      if (!node.modifiers?.some(({ kind }) => kind === SyntaxKind.AsyncKeyword)) return [];
      const place = node.parent.arguments?.indexOf(node) ?? -1;
      // an overload that takes a promise may be meant, though one that takes none fits first
      const expected = place < 0 ? [checker.getContextualType(node)] : parametersOf(node.parent.expression, place);
      const isDropped = expected.length > 0 && expected.every((type) => type && returnsNothing(type));
      return isDropped ? [[node, () => true]] : [];
    },
  },
  'return-without-await': {
    says: 'the catch or finally around it does not wait: `return await`',
    ask: (node, { isPromise }) =>
      node.kind === SyntaxKind.ReturnStatement && node.expression && isInTry(node)
        ? [[node.expression, isPromise]]
        : [],
  },
  'throws-no-error': {
    says: 'what is thrown is no Error',
    ask: (node, { isError, isOpen }) =>
      node.kind === SyntaxKind.ThrowStatement ? [[node.expression, (type) => !isError(type) && !isOpen(type)]] : [],
  },
  'any-is-used': {
    says: 'nothing is known of the type: name it, or take it as unknown',
    skip: tests, // what a test checks are answers of a service, of which no type is assumed
    ask: (node, { isAny, isAnythingTaken }) =>
      usesOf(node).map((used) => [used, (type) => isAny(type) && !isAnythingTaken(used)]),
  },
  'text-of-an-object': {
    says: 'an object within a text',
    skip: tests, // messages of assertions
    ask: (node, { isPrintable }) =>
      node.kind === SyntaxKind.TemplateExpression && node.parent.kind !== SyntaxKind.TaggedTemplateExpression
        ? node.templateSpans.map(({ expression }) => [expression, (type) => !isPrintable(type)])
        : [],
  },
  'never-missing': {
    says: 'the value is never null or undefined, so the check does nothing',
    skip: /\/engine\//, // an index is taken for one in range there, also where the next line checks
    ask: (node, { isNullable, isOpen }) => {
      const isNever = (type) => !isNullable(type) && !isOpen(type);
      if (node.questionDotToken && node.expression) return [[node.expression, isNever]];
      const isFallback = node.operatorToken?.kind === SyntaxKind.QuestionQuestionToken;
      return isFallback ? [[node.left, isNever]] : [];
    },
  },
  'always-true': {
    says: 'an object is always true',
    skip: /\/engine\//,
    ask: (node, { isObject, isPromise }) =>
      conditionsOf(node).map((tested) => [tested, (type) => isObject(type) && !isPromise(type)]),
  },
  'method-without-its-object': {
    says: 'a method that is given on loses `this`: give on a function that calls it',
    skip: tests,
    ask: (node, { isMethod }) =>
      usesOf(node)
        .filter((used) => used.kind === SyntaxKind.PropertyAccessExpression && used !== node.expression)
        .map((used) => [used, isMethod]),
  },
};

/** The expressions whose value a statement drops. */
function valuesOf(expression) {
  const { kind } = expression;
  if (kind === SyntaxKind.ParenthesizedExpression) return valuesOf(expression.expression);
  if (kind === SyntaxKind.ConditionalExpression)
    return [...valuesOf(expression.whenTrue), ...valuesOf(expression.whenFalse)];
  if (kind !== SyntaxKind.BinaryExpression) return [expression];
  const operator = expression.operatorToken.kind;
  if (operator === SyntaxKind.CommaToken) return [...valuesOf(expression.left), ...valuesOf(expression.right)];
  return logical.includes(operator) ? valuesOf(expression.right) : []; // an assignment keeps its value
}

const logical = [SyntaxKind.AmpersandAmpersandToken, SyntaxKind.BarBarToken, SyntaxKind.QuestionQuestionToken];

function isHandled({ kind, expression: callee, arguments: given }) {
  if (kind === SyntaxKind.AwaitExpression || kind === SyntaxKind.VoidExpression) return true;
  if (kind !== SyntaxKind.CallExpression) return false;
  if (callee.kind === SyntaxKind.Identifier) return ofTheRunner.includes(callee.text);
  const method = callee.name?.text;
  if (method === 'finally') return isHandled(callee.expression);
  return (method === 'catch' && given.length > 0) || (method === 'then' && given.length > 1);
}

function conditionsOf(node) {
  if (node.kind === SyntaxKind.ConditionalExpression || node.kind === SyntaxKind.ForStatement)
    return node.condition ? [node.condition] : [];
  if ([SyntaxKind.IfStatement, SyntaxKind.WhileStatement, SyntaxKind.DoStatement].includes(node.kind))
    return [node.expression];
  if (node.kind === SyntaxKind.PrefixUnaryExpression && node.operator === SyntaxKind.ExclamationToken)
    return [node.operand];
  const tests = node.kind === SyntaxKind.BinaryExpression && logical.slice(0, 2).includes(node.operatorToken.kind);
  return tests ? [node.left] : [];
}

/** Whether a failure of what is returned would pass by a catch or a finally of the same function. */
function isInTry(node) {
  for (let inner = node, outer = node.parent; outer && !isFunction(outer); inner = outer, outer = outer.parent) {
    if (outer.kind !== SyntaxKind.TryStatement) continue;
    if (inner === outer.tryBlock || (inner === outer.catchClause && outer.finallyBlock)) return true;
  }
  return false;
}

function isFunction({ kind }) {
  return [
    SyntaxKind.ArrowFunction,
    SyntaxKind.FunctionExpression,
    SyntaxKind.FunctionDeclaration,
    SyntaxKind.MethodDeclaration,
    SyntaxKind.Constructor,
    SyntaxKind.GetAccessor,
    SyntaxKind.SetAccessor,
  ].includes(kind);
}

/** The expressions that a node calls, reads a member of, keeps or gives on. */
function usesOf(node) {
  switch (node.kind) {
    case SyntaxKind.CallExpression:
    case SyntaxKind.NewExpression:
      return [
        ...(node.expression.kind === SyntaxKind.ImportKeyword ? [] : [node.expression]),
        ...(node.arguments ?? []),
      ];
    case SyntaxKind.PropertyAccessExpression:
    case SyntaxKind.ElementAccessExpression:
      return [node.expression];
    case SyntaxKind.ReturnStatement:
      return node.expression ? [node.expression] : [];
    case SyntaxKind.VariableDeclaration:
    case SyntaxKind.PropertyDeclaration:
      return node.initializer && node.type?.kind !== SyntaxKind.UnknownKeyword ? [node.initializer] : [];
    case SyntaxKind.PropertyAssignment:
      return [node.initializer];
    case SyntaxKind.BinaryExpression:
      return node.operatorToken.kind === SyntaxKind.EqualsToken ? [node.right] : [];
    default:
      return [];
  }
}
