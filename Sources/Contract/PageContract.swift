/// The part of the contract that the page needs, as a module for browsers: `pages/js/contract.js`.
public enum PageContract {
    public static var module: String {
        """
        /// Made from the tables of the contract by `kith contract-tables page`: a test compares.

        /// The methods that change nothing.
        export const READS = new Set([
        \(lines(Method.all.filter(\.isRead).map { "\"\($0)\"" }))
        ]);

        /// What a person may hear, below the root of the installation.
        export const TOPICS = {
        \(lines(topics.map { "\($0.kind): \"\($0.pattern.dropFirst(below.count))\"" }))
        };

        """
    }

    private static let below = "{root}/"

    private static var topics: [TopicRow] {
        TopicRow.all.filter {
            $0.pattern.hasPrefix(below)
                && !Set($0.readers).isDisjoint(with: [.thatUser, .friendsInSight, .members])
        }
    }

    private static func lines(_ words: [String]) -> String {
        words.map { "    \($0)," }.joined(separator: "\n")
    }
}
