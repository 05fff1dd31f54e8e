internal import JSON
internal import Languages
public import Tracking

extension NoticeKind {
    static let friendAdded = NoticeKind(
        "friend-added", latest: .ofPerson, says: .text(.friendAdded))
    static let locationShared = NoticeKind(
        "location-shared", latest: .ofPerson, says: .text(.locationShared))
    static let sharingReminder = NoticeKind(
        "sharing-reminder",
        [.time("since"), .texts("groups") { GroupKey($0) != nil }, .number("friends")],
        says: Words { notice, _ in
            func count(_ text: ServerText, _ count: Int) -> Phrase.Value {
                .phrase(Phrase(text, ["count": .number(count)]))
            }
            let friends = Int(clamping: notice.news["friends"]?.integer ?? 0)
            return [
                notice.phrase(
                    .sharingReminder,
                    [
                        "groups": count(
                            .groupCount, notice.news["groups"]?.elements.count ?? 0),
                        "friends": count(.friendCount, friends),
                    ])
            ]
        })
}

extension Notice.News {
    public static let friendAdded = Notice.News(.friendAdded)
    public static let locationShared = Notice.News(.locationShared)

    /// The user has been sharing for a long time without any action of theirs.
    ///
    /// - Parameters:
    ///   - since: when the user last made a request, began to share, or was reminded.
    ///   - groups: the groups that see the user's position.
    ///   - friends: the number of friends who see it.
    public static func sharingReminder(since: Timestamp, groups: [GroupKey], friends: Int)
        -> Notice.News
    {
        .init(
            .sharingReminder,
            [
                "since": .time(since), "groups": .texts(groups.map(\.text)),
                "friends": .number(Double(friends)),
            ])
    }
}
