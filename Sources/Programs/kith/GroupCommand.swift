import ArgumentParser
import Bridge
import Contract
import JSON
import OperatorTools

struct GroupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group", abstract: "Create and list groups; add and remove members.",
        subcommands: [Create.self, Add.self, Remove.self, List.self])
}

struct Membership: ParsableArguments {
    // Ids made by earlier versions may begin with a hyphen; new ones do not.
    @Argument(help: "The group's id or name; put `--` before one that begins with a hyphen.")
    var group: String

    @Argument(help: "The user's name.")
    var user: Name
}

extension GroupCommand {
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a group and print its id.",
            discussion: "If one of the members cannot be added, nothing is created.")

        @Argument(help: "The group's name, as the members see it.")
        var name: String

        @Argument(help: "The members, at least one.")
        var members: [Name]

        @OptionGroup var options: DataOptions

        func run() async throws {
            let result = try await options.perform(
                .createGroup(try checked(name), members: members))
            guard case .string(let text) = result["group"], let key = GroupKey(text) else {
                throw Complaint("The bridge's answer contains no group id.")
            }
            print(key)
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a user to a group.")

        @OptionGroup var membership: Membership
        @OptionGroup var options: DataOptions

        func run() async throws {
            let group = try await options.group(membership.group)
            try await options.perform(.addMember(group, membership.user))
            print("Added \(membership.user).")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove a user from a group.")

        @OptionGroup var membership: Membership
        @OptionGroup var options: DataOptions

        func run() async throws {
            let group = try await options.group(membership.group)
            try await options.perform(.removeMember(group, membership.user))
            print("Removed \(membership.user).")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the groups with their members.")

        @Flag(help: "Print JSON, for programs.") var json = false
        @OptionGroup var options: DataOptions

        func run() async throws {
            let groups = try DirectoryListing(try await options.databaseThatIsThere())
                .groups
            guard !json else {
                let bytes = JSONWriter.object { json in
                    json.key("groups")
                    json.array(groups) { json, group in
                        json.object { json in
                            json.key("group")
                            json.string(group.key)
                            json.key("name")
                            json.string(group.name)
                            json.key("members")
                            json.array(group.members) { $0.string($1) }
                        }
                    }
                }
                return print(String(decoding: bytes, as: UTF8.self))
            }
            for group in groups {
                let members = group.members.joined(separator: ",")
                print("\(group.key)\t\(group.name)\t\(members)")
            }
        }
    }
}

extension DataOptions {
    /// Returns the group with this id or, if there is none, the only one with this name.
    ///
    /// - Throws: ``Complaint`` if there is none, or several.
    func group(_ text: String) async throws -> GroupKey {
        try DataOptions.group(text, in: try DirectoryListing(await databaseThatIsThere()).groups)
    }

    static func group(_ text: String, in groups: [DirectoryListing.Group]) throws -> GroupKey {
        let byID = groups.filter { $0.key == text }
        let found = byID.isEmpty ? groups.filter { $0.name == text } : byID
        guard let first = found.first, let key = GroupKey(first.key) else {
            throw Complaint("There is no group with that id or name: kith group list shows them.")
        }
        guard found.count == 1 else {
            let ids = found.map(\.key).joined(separator: ", ")
            throw Complaint("There are \(found.count) groups with that name; give an id: \(ids).")
        }
        return key
    }
}
