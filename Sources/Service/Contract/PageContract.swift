internal import Numbers
internal import Tracking

/// The part of the contract that the page needs, as a module for browsers: `pages/js/contract.js`.
public enum PageContract {
    public static var module: String {
        """
        /// Generated from the contract's tables by `kith-dev contract-tables page`; a test compares them.

        /// The methods that change nothing.
        export const READS = new Set([
        \(lines(Method.all.filter(\.isRead).map { "\"\($0)\"" }))
        ]);

        /// The kinds of alerts that call for immediate help.
        export const CALLS_FOR_HELP = new Set([
        \(lines(Alert.Kind.allCases.filter(\.isCall).map { "\"\($0.rawValue)\"" }))
        ]);

        /// The limits of form fields: lengths in characters, radii in metres, minimum and maximum.
        export const LIMITS = {
        \(lines(limits.map { "\($0.key): \($0.value)" }))
        };

        /// The topics that a person may receive, without the installation's root.
        export const TOPICS = {
        \(lines(topics.map { "\($0.kind): \"\($0.pattern.dropFirst(below.count))\"" }))
        };

        """
    }

    private static var limits: KeyValuePairs<String, String> {
        [
            "name": "\(DisplayName.maximumLength)",
            "chatText": "\(ChatText.maximumLength)",
            "importSource": "\(HistoryCommand.maximumSourceLength)",
            "placeRadius": range(OwnPlace.radius),
            "usualPlaceRadius": "\(Int(clamping: OwnPlace.usualRadius))",
            "reminderRadius": range(Reminder.radius),
        ]
    }

    private static func range(_ metres: ClosedRange<Double>) -> String {
        "[\(Int(clamping: metres.lowerBound)), \(Int(clamping: metres.upperBound))]"
    }

    private static let below = "{root}/"

    private static var topics: [TopicRow] {
        let people: Set<TopicRow.Party> = [.thatUser, .friendsInSight, .members, .anyone]
        return TopicRow.all.filter {
            $0.pattern.hasPrefix(below) && !people.isDisjoint(with: $0.readers)
        }
    }

    private static func lines(_ words: [String]) -> String {
        words.map { "    \($0)," }.joined(separator: "\n")
    }
}
