import Contract
import Testing

@testable import Bridge

struct DispatchCommandsTests {
    private func run(_ words: [String], _ size: Int) async -> DispatchOutcome.Result {
        await DispatchCommands().run(words, Array(repeating: UInt8(ascii: "a"), count: size))
    }

    @Test(arguments: [0, 1_000, 65_536, 500_000])
    func `A program gets the whole message as its input`(_ size: Int) async {
        #expect(await run(["/bin/sh", "-c", "[ $(wc -c) -eq \(size) ]"], size) == .taken)
        #expect(
            await run(["/bin/sh", "-c", "[ $(wc -c) -ne \(size) ]"], size) == .failed(.refused))
    }

    @Test func `Repeated calls of a program that reads nothing end nothing else`() async {
        for _ in 1...50 {
            #expect(await run(["/bin/true"], 60_000) == .taken)
            #expect(await run(["/bin/false"], 60_000) == .failed(.refused))
        }
    }

    @Test func `Repeated calls of a program that cannot be run end nothing else`() async {
        for _ in 1...20 {
            #expect(await run(["/no/such/program"], 1_000) == .failed(.unreachable))
            #expect(await run(["/etc/passwd"], 1_000) == .failed(.unreachable))
        }
    }
}
