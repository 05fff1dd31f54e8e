import ArgumentParser
import Bridge
import Contract
import Glibc
import JSON
import OperatorTools
import Store

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract:
            "Add, import, invite, list, disable and remove users; make tokens, set passwords.",
        subcommands: [
            Add.self, Import.self, Invite.self, List.self, Rename.self, Token.self, Revoke.self,
            Password.self, Confirm.self, RemoveSecondFactor.self, Disable.self, Enable.self,
            Remove.self,
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
            abstract: "Mark an account's address as confirmed.",
            discussion: """
                For where no mail is sent, or it does not arrive: a company can request people's \
                data only once its address is confirmed. Verify the address first, for instance by \
                writing to it. People receive password links at a confirmed address.
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
            abstract: "List the users with their devices, and when each was last heard from.",
            discussion: """
                One line each: name, display name, devices (in parentheses if they are logged \
                out), the hour in which one of them was last heard from; and since when the user \
                is disabled.
                """)

        @Flag(help: "Print JSON, for programs.") var json = false
        @OptionGroup var options: DataOptions

        func run() async throws {
            let users = try DirectoryListing(try await options.databaseThatIsThere()).users
            guard !json else {
                let bytes = JSONWriter.object { json in
                    json.key("users")
                    json.array(users) { json, user in json.object { $0.user(user) } }
                }
                return print(String(decoding: bytes, as: UTF8.self))
            }
            for user in users {
                let devices = user.devices.map { $0.isLoggedIn ? $0.name : "(\($0.name))" }
                let last = user.devices.compactMap(\.lastSeen).max()
                let cells: [String?] = [
                    user.name, user.displayName, devices.joined(separator: ","),
                    last?.rfc3339 ?? "-", user.disabledAt?.rfc3339,
                ]
                print(cells.compactMap { $0 }.joined(separator: "\t"))
            }
        }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change the name that other people see.",
            discussion: "The user's name in topics stays, because stored data refers to it.")

        @Argument(help: "The user's name.")
        var user: Name

        @Argument(help: "The name that other people see.")
        var name: String

        @OptionGroup var options: DataOptions

        func run() async throws {
            try await options.perform(.renameUser(user, try checked(name)))
            print("\(user) is shown as \(name).")
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Log out a user's devices: their tokens stop working immediately.",
            discussion: """
                One device, whatever it is doing; or all except those that groups currently rely \
                on, on a journey or in an SOS. The user can log in again with the password.
                """)

        @Argument(help: "The user's name.")
        var user: Name

        @Argument(help: "The device's name. Default: all of them.")
        var device: Name?

        @OptionGroup var options: DataOptions

        func run() async throws {
            let result = try await options.perform(.revokeDevices(user, device: device))
            guard device == nil else {
                return print("\(user)'s \(device?.text ?? "") is logged out.")
            }
            let kept = result["kept"]?.elements.compactMap(\.text) ?? []
            print(
                "Logged out: \(result["ended"]?.integer ?? 0) devices of \(user)"
                    + (kept.isEmpty ? "." : "; groups rely on \(kept.joined(separator: ", "))."))
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lock a user out: logged out everywhere, and no login until enabled.",
            discussion: """
                Nothing is sent to the user, and their links and observers end. Their stored data \
                and their groups stay. Devices on which groups currently rely, on a journey or in \
                an SOS, are logged out after it. A company's services are also disabled, and need \
                new tokens afterwards.
                """)

        @Argument(help: "The user's name.")
        var user: Name

        @OptionGroup var options: DataOptions

        func run() async throws {
            let result = try await options.perform(.disableUser(user))
            let kept = result["kept"]?.elements.compactMap(\.text) ?? []
            print(
                "\(user) is disabled, and logged out of \(result["ended"]?.integer ?? 0) devices"
                    + (kept.isEmpty
                        ? "." : "; groups rely on \(kept.joined(separator: ", ")) until it ends."))
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a user who was disabled log in again.")

        @Argument(help: "The user's name.")
        var user: Name

        @OptionGroup var options: DataOptions

        func run() async throws {
            try await options.perform(.enableUser(user))
            print("\(user) can log in again.")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a user and everything that is stored about them.",
            discussion: "Asks for confirmation in a terminal; elsewhere it needs --yes.")

        @Argument(help: "The user's name.")
        var user: Name

        @Flag(help: "Do not ask for confirmation.") var yes = false

        @OptionGroup var options: DataOptions

        func run() async throws {
            _ = try await options.databaseThatIsThere()
            guard yes || agrees() else {
                throw Complaint("Nothing was removed: that needs a yes, or --yes.")
            }
            let result = try await options.perform(.removeUser(user))
            let fixes = result["deleted"]?["fixes"]?.integer ?? 0
            print("Removed \(user), with \(fixes) fixes.")
        }

        private func agrees() -> Bool {
            guard isatty(STDIN_FILENO) == 1 else { return false }
            print(
                "Remove \(user) and everything that is stored about them? Type yes: ",
                terminator: "")
            fflush(nil)
            return readLine() == "yes"
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
        let database = try await databaseThatIsThere()
        return try await Operator(databasePath: database.path, try await settings()).perform(
            command)
    }
}

extension JSONWriter {
    fileprivate mutating func user(_ user: DirectoryListing.User) {
        key("user")
        string(user.name)
        key("name")
        string(user.displayName)
        if let disabledAt = user.disabledAt {
            key("disabledAt")
            time(disabledAt)
        }
        key("devices")
        array(user.devices) { json, device in
            json.object { json in
                json.key("device")
                json.string(device.name)
                json.key("loggedIn")
                json.bool(device.isLoggedIn)
                guard let seen = device.lastSeen else { return }
                json.key("lastSeen")
                json.time(seen)
            }
        }
    }
}
