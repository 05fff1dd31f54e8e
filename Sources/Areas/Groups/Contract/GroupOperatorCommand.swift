internal import JSON
public import Tracking

/// The operator's commands about groups.
public enum GroupOperatorCommand: AreaOperatorCommand {
    case create(DisplayName, members: [Name])
    case add(GroupKey, Name)
    case remove(GroupKey, Name)
    case list(OperatorCommand.Page)
    case endObserver(UUIDv7)

    static let creation = Form(
        Form("name", .displayName),
        Form.names("members").reading { names, fields, _ in
            if names.isEmpty { fields.refuse("members", "must not be empty") }
            var seen: Set<Name> = []
            return names.isEmpty ? nil : names.filter { seen.insert($0).inserted }
        }
    ) { GroupOperatorCommand.create($0, members: $1) }
}

extension OperatorCommand {
    /// Created with all of these members, each listed once, or not at all.
    public static func createGroup(_ name: DisplayName, members: [Name]) -> OperatorCommand {
        .init("group.create", ["name": name.text]) { json in
            json.key("members")
            json.array(members) { $0.string($1.text) }
        }
    }

    public static func createGroup(_ name: DisplayName, firstMember: Name) -> OperatorCommand {
        .createGroup(name, members: [firstMember])
    }

    public static func addMember(_ group: GroupKey, _ user: Name) -> OperatorCommand {
        .init("group.add", ["group": group.text, "user": user.text])
    }

    public static func removeMember(_ group: GroupKey, _ user: Name) -> OperatorCommand {
        .init("group.remove", ["group": group.text, "user": user.text])
    }

    public static func endObserver(_ observer: UUIDv7) -> OperatorCommand {
        .init("observer.end", ["observer": observer.description])
    }
}
