internal import JSON
internal import Languages
public import Tracking

extension NoticeKind {
    private static let group: [Member] = [.group("group"), .text("name", as: "group")]
    private static let observer: [Member] =
        group + [.uuid("observer"), .text("label", as: "label")]

    static let addedToGroup = NoticeKind(
        "added-to-group", group, latest: .of("group"),
        says: Words { notice, reader in
            let isOther = notice.about.map { $0.user != reader } ?? false
            let words: Words =
                isOther
                ? .doneBy(.otherAddedToGroup, .otherAddedToGroupBy, .otherAddedToGroupByYou)
                : .doneBy(.addedToGroup, .addedToGroupBy, .addedToGroupByYou)
            return words.phrases(notice, reader)
        })
    static let removedFromGroup = NoticeKind(
        "removed-from-group", group + [.flag("endsJourney")], pace: .kind, latest: .of("group"),
        says: Words { notice, reader in
            Words.doneBy(.removedFromGroup, .removedFromGroupBy, .removedFromGroupByYou)
                .phrases(notice, reader)
                + (notice.news["endsJourney"] == nil ? [] : [Phrase(.nobodyFollows)])
        })
    public static let observerAdded = NoticeKind(
        "observer-added", observer, pace: .kind, isToldToDoer: true,
        says: .doneBy(.observerAdded, .observerAddedBy, .observerAddedByYou))
    static let observerEnded = NoticeKind("observer-ended", observer, says: .text(.observerEnded))
    static let sharingEnded = NoticeKind("sharing-ended", group, says: .text(.sharingEnded))
}

extension Notice.News {
    private static func group(_ group: GroupKey, _ name: String) -> [String: JSONValue?] {
        ["group": .string(group.text), "name": .string(name)]
    }

    private static func observer(
        _ group: GroupKey, _ name: String, _ observer: UUIDv7, _ label: String
    ) -> [String: JSONValue?] {
        self.group(group, name).merging(
            ["observer": .string(observer.description), "label": .string(label)]
        ) { $1 }
    }

    public static func addedToGroup(_ group: GroupKey, name: String) -> Notice.News {
        .init(.addedToGroup, self.group(group, name))
    }

    /// - Parameter endsJourney: whether a journey of the user ended because no other group followed
    ///   it.
    public static func removedFromGroup(_ group: GroupKey, name: String, endsJourney: Bool)
        -> Notice.News
    {
        .init(
            .removedFromGroup,
            self.group(group, name).merging(["endsJourney": .flag(endsJourney)]) { $1 })
    }

    /// An observer was added to the group.
    public static func observerAdded(
        _ group: GroupKey, name: String, _ observer: UUIDv7, label: String
    ) -> Notice.News {
        .init(.observerAdded, self.observer(group, name, observer, label))
    }

    /// Another member has ended an observer created by the user.
    public static func observerEnded(
        _ group: GroupKey, name: String, _ observer: UUIDv7, label: String
    ) -> Notice.News {
        .init(.observerEnded, self.observer(group, name, observer, label))
    }

    /// The time for which the user shared their position with a group has ended.
    public static func sharingEnded(_ group: GroupKey, name: String) -> Notice.News {
        .init(.sharingEnded, self.group(group, name))
    }
}
