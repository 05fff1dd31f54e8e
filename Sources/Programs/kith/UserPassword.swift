import ArgumentParser
import Bridge
import Contract
import Glibc
import OperatorTools
import Store

extension UserCommand {
    struct Password: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set the password with which a user logs in on the page.",
            discussion: """
                The password is asked for, or read as one line from standard input if that is not \
                a terminal. Only its hash is stored. Devices that are logged in stay logged in.
                """)

        @Argument(help: "The user's name.")
        var user: Name

        @OptionGroup var options: DataOptions

        func run() async throws {
            let service = Operator(
                databasePath: try await options.databaseThatIsThere().path,
                try await options.settings())
            let password = try read()
            try await options.perform(try service.settingPassword(password, of: user))
            print("\(user) has a password.")
        }

        private func read() throws -> String {
            guard isatty(STDIN_FILENO) == 1 else {
                guard let line = readLine() else {
                    throw Complaint("Standard input contains no password.")
                }
                return line
            }
            let password = try ask("Password: ")
            guard try ask("Again: ") == password else {
                throw Complaint("The two passwords differ.")
            }
            return password
        }

        /// Asks without echoing the input.
        private func ask(_ prompt: String) throws -> String {
            guard let text = getpass(prompt) else {
                throw Complaint("The password cannot be read from the terminal.")
            }
            return String(cString: text)
        }
    }
}
