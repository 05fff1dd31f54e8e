import Contract
import Foundation
import Testing
import Tracking

@testable import Bridge

/// The reference names the limits beyond which the service refuses.
struct BoundTests {
    private func text(_ number: Int) -> String {
        var digits = String(number)
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
            place -= 3
        }
        return digits
    }

    @Test func `Every bound in the reference matches the code`() throws {
        let days = Int(JourneyCommand.maximumDuration / .seconds(86_400))
        let bounds: [(String, String)] = [
            (
                "a payload; of a guest",
                "\(text(PayloadLimits.maximum)) bytes; \(text(PayloadLimits.guest)) bytes"
            ),
            (
                "the levels and bytes of a topic below `…/replies`",
                "\(TopicSpace.maximumReplyLevels) levels; \(TopicSpace.maximumLength) bytes"
            ),
            ("the `id` of a request", "\(Request.maximumIDLength) bytes"),
            ("the Correlation Data of a request", "\(PayloadLimits.correlationData) bytes"),
            ("the client id of a guest", "\(ClientID.maximumLength) bytes"),
            ("fixes in an array", text(FixLimits.maximumCount)),
            ("groups of a user, and in a request", text(BridgeSettings.maximumGroups)),
            (
                "observers of a group; that a user makes within a day",
                "\(Groups.maximumObservers); \(Groups.maximumObserversADay)"
            ),
            ("members of a group", text(BridgeSettings.maximumMembers)),
            (
                "friends of a user; blocked by a user; people who show a user where they are",
                "\(BridgeSettings.maximumFriends); \(BridgeSettings.maximumBlocked); "
                    + text(BridgeSettings.maximumSharers)
            ),
            ("notices of a user that are kept, the newest", "\(BridgeSettings.maximumNotices)"),
            (
                "in addition, about logins; about the account",
                "\(BridgeSettings.maximumNoticesOfAccount); "
                    + "\(BridgeSettings.maximumNoticesOfAccount)"
            ),
            (
                "channels of a user; messages that wait for one",
                "\(BridgeSettings.maximumChannels); \(BridgeSettings.maximumDeliveries)"
            ),
            (
                "open invitations of a user, in all groups; of a group",
                "\(Invitations.maximumOfInviter); \(Invitations.maximumOfGroup)"
            ),
            (
                "devices of a user that are logged in; with a name",
                "\(BridgeSettings.maximumDevices); \(BridgeSettings.maximumDeviceNames)"
            ),
            (
                "places of the organisation; of a user, and of a group",
                "\(text(BridgeSettings.maximumPlaces)); \(BridgeSettings.maximumGeofences)"
            ),
            (
                "reminders of a user; the text of one",
                "\(BridgeSettings.maximumReminders); \(Reminder.longestText) characters"
            ),
            (
                "the `radius` of a Geofence; of a reminder",
                "\(Int(OwnPlace.radius.lowerBound)) to "
                    + "\(text(Int(OwnPlace.radius.upperBound))) m; "
                    + "\(Int(Reminder.radius.lowerBound)) to "
                    + "\(text(Int(Reminder.radius.upperBound))) m"
            ),
            (
                "rules about places: of a maker; of others about or for a user, not counting refused ones; in which a group is (a fifth of one maker); at a place (the same); of one maker about or for one other; people whom one tells something",
                "\(BridgeSettings.maximumGeofenceRules); "
                    + "\(BridgeSettings.maximumGeofenceRules); "
                    + "\(BridgeSettings.maximumGeofenceRules); "
                    + "\(BridgeSettings.maximumRulesAtPlace); "
                    + "\(BridgeSettings.maximumRulesOfPair); "
                    + "\(BridgeSettings.maximumToldOfPlaces)"
            ),
            (
                "positions of an `import.add`; imported positions of a user; their sources; the `source`",
                "1 to \(HistoryCommand.maximumPositions); "
                    + "\(text(BridgeSettings.maximumImportedPositions)); "
                    + "\(BridgeSettings.maximumImports); "
                    + "\(HistoryCommand.maximumSourceLength) characters"
            ),
            (
                "what a service says of itself; why it asks; how long that waits; names for services that a company tries in a day; social security numbers that a person sets in a day; people who are asked by one",
                "\(ServiceCommand.longestDescription) characters; "
                    + "\(ServiceCommand.longestReason) characters; "
                    + "\(Int(BridgeSettings.requestLifetime / .seconds(86_400))) days; "
                    + "\(BridgeSettings.maximumServiceNames); \(BridgeSettings.maximumNumbers); "
                    + "\(BridgeSettings.maximumClaimants)"
            ),
            ("from the start of a journey to its `eta`", "\(days) days"),
            (
                "the `radius` of a destination",
                "\(Int(JourneyCommand.radiusRange.lowerBound)) to "
                    + "\(text(Int(JourneyCommand.radiusRange.upperBound))) m"
            ),
            (
                "points of a path: later fixes are stored and shown as positions, and the path ends "
                    + "before them", text(Rules().maximumPathPoints)
            ),
            ("a name that is shown", "\(DisplayName.maximumLength) characters"),
            ("an email address", "\(EmailAddress.maximumLength) bytes"),
            (
                "a chat message; of a user in a second",
                "\(text(ChatText.maximumLength)) characters; \(BridgeSettings.maximumChatRate)"
            ),
            (
                "a password",
                "\(Password.minimumLength) characters to \(text(Password.maximumLength)) bytes"
            ),
        ]
        let table = "| | |\n|---|---|\n" + bounds.map { "| \($0) | \($1) |\n" }.joined() + "\n"
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
            .joined(separator: "/")
        let reference = try String(contentsOfFile: root + "/docs/reference.md", encoding: .utf8)
        #expect(reference.contains(table), "what belongs there:\n\(table)")
    }
}
