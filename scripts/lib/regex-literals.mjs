import ts from 'typescript';

/**
 * Finds the regular expressions of a TypeScript file. One that is built at run time cannot be checked: it is marked.
 * @param {string} file for the places
 * @param {string} source
 * @returns {{ where: string, text: string, built: boolean }[]}
 */
export function regexLiterals(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    const literal = node.kind === ts.SyntaxKind.RegularExpressionLiteral;
    const built = (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
    if (literal || built) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
      found.push({ where: `${file}:${line + 1}`, text: node.getText(), built });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}
