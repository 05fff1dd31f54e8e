import ArgumentParser
import OperatorTools
import Web

struct PhonesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phones",
        abstract: "Show what to do on a phone, with QR codes.",
        discussion: "For a kith up --for-phones running on this data.")

    @OptionGroup var options: DataOptions

    func run() async throws {
        _ = try await options.databaseThatIsThere()
        let bridge = Condition.Bridge(on: options.databasePath)
        guard let name = bridge?.phonesName else {
            throw Complaint(
                "No phones are admitted: no kith up --for-phones is running on this data.")
        }
        var settings = try await options.webSettings()
        settings.follow(bridge, data: options.data)
        guard let page = settings.pageAddress(bridge) else {
            throw Complaint("The page's address is not known: set web.origin.")
        }
        try PhoneAccess(name: name, data: options.data).tell(page: page)
    }
}
