import { SyntaxKind } from 'typescript/unstable/ast';
import { TypeFlags } from 'typescript/unstable/sync';

/** Answers about types, each computed once, since each costs a request to the compiler. */
export function knowledgeOf(checker) {
  const once = (compute) => {
    const known = new Map();
    return (type) => {
      if (!known.has(type.id)) known.set(type.id, compute(type));
      return known.get(type.id);
    };
  };
  const members = once((type) => (type.flags & TypeFlags.Union ? type.getTypes() : [type]));
  const hasProperty = (name) =>
    once((type) => Boolean(type.flags & structured && checker.getPropertyOfType(type, name)));
  const hasThen = hasProperty('then');
  const hasCatch = hasProperty('catch'); // what has `then` alone may be an interface to chain calls
  const hasStack = hasProperty('stack');
  const isPromise = (type) => members(type).some((member) => hasThen(member) && hasCatch(member));
  return {
    checker,
    members,
    isAny: (type) => Boolean(type.flags & TypeFlags.Any),
    isUnknown: (type) => Boolean(type.flags & TypeFlags.Unknown),
    /** Nothing is known of the type, or it depends on a type parameter. */
    isOpen: (type) => members(type).some(({ flags }) => flags & open),
    isPromise,
    isThenable: (type) => members(type).some(hasThen),
    isError: (type) => members(type).every(hasStack),
    isPromiseList: once((type) => checker.isArrayType(type) && checker.getTypeArguments(type).some(isPromise)),
    isMethod: once((type) => type.getSymbol()?.valueDeclaration?.kind === SyntaxKind.MethodDeclaration),
    isNullable: (type) => members(type).some(({ flags }) => flags & nullable),
    isObject: (type) => members(type).every(({ flags }) => flags & structured),
    /** Has a text of its own when it is put into a text: no object besides lists and addresses. */
    isPrintable: (type) => members(type).every(printable),
    /** Whether the place of this expression takes a value of which nothing is known. */
    isAnythingTaken(node) {
      const expected = checker.getContextualType(node);
      return Boolean(expected && expected.flags & TypeFlags.AnyOrUnknown);
    },
    /** The types of a parameter in all overloads of the function that is called. */
    parametersOf(called, place) {
      const type = checker.getTypeAtLocation(called);
      const signatures = type ? members(type).flatMap((member) => [...checker.getSignaturesOfType(member, 0)]) : [];
      return signatures.map((signature) => checker.getParameterType(signature, place)).filter(Boolean);
    },
    returnsNothing: once((type) => {
      const signatures = members(type).flatMap((member) => [...checker.getSignaturesOfType(member, 0)]);
      const returned = signatures.map((signature) => checker.getReturnTypeOfSignature(signature));
      return (
        returned.length > 0 &&
        returned.some((type) => type?.flags === TypeFlags.Void) &&
        returned.every((type) => type && !isPromise(type) && !(type.flags & TypeFlags.AnyOrUnknown))
      );
    }),
  };

  function printable(type) {
    if (!(type.flags & structured) || type.flags & TypeFlags.Intersection) return true;
    return checker.isArrayLikeType(type) || /^URL(?:SearchParams)?$/.test(type.getSymbol()?.name ?? '');
  }
}

const structured = TypeFlags.Object | TypeFlags.Intersection | TypeFlags.NonPrimitive;
const nullable = TypeFlags.Undefined | TypeFlags.Null | TypeFlags.Void;
const open = TypeFlags.Any | TypeFlags.Unknown | TypeFlags.Instantiable | TypeFlags.Never;
