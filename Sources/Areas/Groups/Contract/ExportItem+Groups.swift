internal import JSON
public import Tracking

extension ExportItem {
    public static func group(_ key: GroupKey, name: String, joinedAt: Timestamp) -> ExportItem {
        ExportItem("group") { json in
            json.member("group", key.text)
            json.member("name", name)
            json.member("joinedAt", joinedAt)
        }
    }

    /// An observer that the person has created.
    public static func observer(_ id: UUIDv7, _ group: GroupKey, name: String, since: Timestamp)
        -> ExportItem
    {
        ExportItem("observer") { json in
            json.member("observer", id.description)
            json.member("group", group.text)
            json.member("name", name)
            json.member("since", since)
        }
    }

    /// The person's state as the group sees it.
    public static func state(_ key: GroupKey, _ state: MemberState) -> ExportItem {
        ExportItem("state") { json in
            json.member("group", key.text)
            json.key("state")
            json.memberState(state)
        }
    }
}
