import Foundation
import Fuzzing

/// libFuzzer's own `main`: it reads its options, and calls back with each input.
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The choice in the environment: libFuzzer starts this program again, with its own arguments.
let name = ProcessInfo.processInfo.environment["KITH_FUZZ_TARGET"]
if name == "words" {
    for word in ContractWords.all { print("\"\(word)\"") }
    exit(0)
}
guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
    print("KITH_FUZZ_TARGET is one of \(names).")
    exit(2)
}
let run = target.run
let maximumLength = target.maximumLength

/// The arguments, and with them how long an input of this target may be.
var words = CommandLine.arguments
if !words.contains(where: { $0.hasPrefix("-max_len=") }) {
    words.append("-max_len=\(maximumLength)")
}
var count = CInt(words.count)
var arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
    capacity: words.count + 1)
for (index, word) in words.enumerated() { arguments[index] = strdup(word) }
arguments[words.count] = nil

/// Under the name that libFuzzer's library looks for, used or not.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // Refused, and not kept.
    guard count <= maximumLength else { return -1 }
    do {
        try run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("A promise is broken: \(error)")
    }
    MainActor.assumeIsolated { CoverageCounters.look() }
    return 0
}

CoverageCounters.begin(knowingAll: words.contains { $0.hasPrefix("-merge") })
exit(runDriver(&count, &arguments, testOneInput))
