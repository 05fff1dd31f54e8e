internal import JSON
internal import Languages
public import Tracking

extension NoticeKind {
    public static let invitedToGroup = NoticeKind(
        "invited-to-group", [.uuid("invitation"), .text("name", as: "group")],
        says: .doneBy(.invitedToGroup, .invitedToGroupBy, .invitedToGroupByYou))
}

extension Notice.News {
    public static func invitedToGroup(_ invitation: UUIDv7, name: String) -> Notice.News {
        .init(
            .invitedToGroup,
            ["invitation": .string(invitation.description), "name": .string(name)])
    }
}
