import ArgumentParser
import Bridge
import Contract
import JSON
import OperatorTools

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Add, invite, list and remove users; make tokens and set passwords.",
        discussion: """
            There is no command that only revokes a device's token: kith user token makes a new \
            one, and the one before stops working at once.
            """,
        subcommands: [
            Add.self, Invite.self, List.self, Token.self, Password.self, Confirm.self,
            RemoveSecondFactor.self, Remove.self,
        ])
}

extension UserCommand {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a user.")

        @Argument(help: "The user's name in topics: lower-case letters, digits, - and _.")
        var user: Name

        @Option(help: "The name that other people see. Default: the user's name.")
        var name: String?

        @Option(help: "The address by which others can add this user to their groups.")
        var email: String?

        @Flag(help: "Make the publish button of the user's OwnTracks app send an SOS.")
        var publishIsSos = false

        @OptionGroup var options: DataOptions

        func run() async throws {
            let displayName = try checked(name ?? user.text)
            try await options.perform(
                .addUser(
                    user, displayName: displayName.text, email: email,
                    ownTracksPublishIsSOS: publishIsSos))
            print("Added \(user).")
        }
    }

    struct Confirm: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Note that an account's address is its owner's.",
            discussion: """
                For where no mail is sent, or it does not arrive: a company asks people for their \
                data only once its address is confirmed. Make sure of it before, for instance by \
                writing there. A person gets links for a new password at a confirmed address.
                """)

        @Argument(help: "The account's name.")
        var user: Name

        @OptionGroup var options: DataOptions

        func run() async throws {
            try await options.perform(.confirmAddress(user))
            print("The address of \(user) is confirmed.")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the users with their devices.")

        @OptionGroup var options: DataOptions

        func run() async throws {
            for user in try DirectoryListing(databasePath: try options.databaseThatIsThere()).users
            {
                let devices = user.devices.joined(separator: ",")
                print("\(user.name)\t\(user.displayName)\t\(devices)")
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a user and everything that is stored about them.")

        @Argument(help: "The user's name.")
        var user: Name

        @OptionGroup var options: DataOptions

        func run() async throws {
            let result = try await options.perform(.removeUser(user))
            let fixes = result["deleted"]?["fixes"]?.integer ?? 0
            print("Removed \(user), with \(fixes) fixes.")
        }
    }
}

/// - Throws: `ValidationError` if the name cannot be displayed.
func checked(_ name: String) throws -> DisplayName {
    do throws(DisplayName.Reason) {
        return try DisplayName(name)
    } catch {
        throw ValidationError("The name \(error.text).")
    }
}

extension DataOptions {
    @discardableResult
    func perform(_ command: OperatorCommand) async throws -> JSONValue {
        let path = try databaseThatIsThere()
        return try await Operator(databasePath: path, try await settings()).perform(command)
    }
}
