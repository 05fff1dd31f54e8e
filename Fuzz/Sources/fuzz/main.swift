import Foundation
import Fuzzing

/// libFuzzer's own `main`: it reads its options, and calls back with each input.
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// What the environment asks for: libFuzzer starts this program anew, with its own arguments.
let name = ProcessInfo.processInfo.environment["KITH_FUZZ_TARGET"]
guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
    print("KITH_FUZZ_TARGET is one of \(names).")
    exit(2)
}
let run = target.run

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
/// Under the name that libFuzzer's library looks for, used or not.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("A promise is broken: \(error)")
    }
    return 0
}

exit(runDriver(&count, &arguments, testOneInput))
