import ArgumentParser
import Bridge
import Contract
import Glibc
import OperatorTools

extension UserCommand {
    struct Password: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a user a password, with which to log in on the page.",
            discussion: """
                It is asked for, or read as a line from standard input where that is no terminal. \
                Only its hash is stored. Devices that are logged in stay so.
                """)

        @Argument(help: "The user's name.")
        var user: Name

        @OptionGroup var options: DataOptions

        func run() async throws {
            let password = try read()
            let service = Operator(
                databasePath: options.databasePath, try await options.settings())
            try await options.perform(try service.settingPassword(password, of: user))
            print("\(user) has a password.")
        }

        private func read() throws -> String {
            guard isatty(STDIN_FILENO) == 1 else {
                guard let line = readLine() else {
                    throw Complaint("There is no password on standard input.")
                }
                return line
            }
            let password = try ask("Password: ")
            guard try ask("Again: ") == password else {
                throw Complaint("That was another one.")
            }
            return password
        }

        /// Asks without echoing what is typed.
        private func ask(_ prompt: String) throws -> String {
            guard let text = getpass(prompt) else {
                throw Complaint("The terminal cannot be read.")
            }
            return String(cString: text)
        }
    }
}
