import ArgumentParser
import Bridge
import Contract
import JSON
import OperatorTools

extension UserCommand {
    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a link with which a user sets a password on the page.",
            discussion: """
                For users who have no password yet, or have forgotten it. The link works once, \
                within three days; a new one ends earlier ones. It is printed once, and only its \
                hash is stored: give it to that person and to no one else.
                """)

        @Argument(help: "The user's name.")
        var user: Name

        @Option(
            help:
                "The page's address as the user sees it. Default: that of --for-phones, or web.origin."
        )
        var page: String?

        @OptionGroup var options: DataOptions

        func run() async throws {
            _ = try await options.databaseThatIsThere()
            let page = try await options.pageForPeople(page)
            var random = SystemRandomNumberGenerator()
            let link = AccountLink(.password, using: &random)
            try await options.perform(.inviteUser(user, hash: link.hash))
            print(link.address(on: page))
        }
    }

    struct RemoveSecondFactor: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-second-factor",
            abstract: "Let a user log in without a code again.",
            discussion: """
                For users who have lost both the authenticator app and the recovery codes. The \
                user is notified.
                """)

        @Argument(help: "The user's name.")
        var user: Name

        @OptionGroup var options: DataOptions

        func run() async throws {
            try await options.perform(.removeSecondFactor(user))
            print("\(user) logs in without a code.")
        }
    }
}
