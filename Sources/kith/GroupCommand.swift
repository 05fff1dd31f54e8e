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
    @Argument(help: "The group's id; put `--` before one that begins with a hyphen.")
    var group: GroupKey

    @Argument(help: "The user's name.")
    var user: Name
}

extension GroupCommand {
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a group with its first members; prints its id.")

        @Argument(help: "The group's name, as the members see it.")
        var name: String

        @Argument(help: "The members, at least one.")
        var members: [Name]

        @OptionGroup var options: DataOptions

        func run() async throws {
            let displayName = try checked(name)
            let result = try await options.perform(
                .createGroup(displayName, firstMember: members[0]))
            guard case .string(let text) = result["group"], let key = GroupKey(text) else {
                throw Complaint("The bridge's answer contains no group id.")
            }
            for member in members.dropFirst() {
                try await options.perform(.addMember(key, member))
            }
            print(key)
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a user to a group.")

        @OptionGroup var membership: Membership
        @OptionGroup var options: DataOptions

        func run() async throws {
            try await options.perform(.addMember(membership.group, membership.user))
            print("Added \(membership.user).")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove a user from a group.")

        @OptionGroup var membership: Membership
        @OptionGroup var options: DataOptions

        func run() async throws {
            try await options.perform(.removeMember(membership.group, membership.user))
            print("Removed \(membership.user).")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the groups with their members.")

        @OptionGroup var options: DataOptions

        func run() async throws {
            for group in try DirectoryListing(databasePath: options.databasePath).groups {
                let members = group.members.joined(separator: ",")
                print("\(group.key)\t\(group.name)\t\(members)")
            }
        }
    }
}
