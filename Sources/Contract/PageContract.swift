/// What the page knows of the contract, as a module for browsers: `pages/js/contract.js`.
public enum PageContract {
    public static var module: String {
        """
        /// Made from the tables of the contract by `kith contract-tables page`: a test compares.

        /// The methods that change nothing.
        export const READS = new Set([
        \(list(Method.all.filter(\.isRead).map(\.name)))
        ]);

        """
    }

    private static func list(_ words: [String]) -> String {
        words.map { "    \"\($0)\"," }.joined(separator: "\n")
    }
}
