import ArgumentParser
import Bridge
import Contract
import JSON
import OperatorTools

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find problems with this installation and suggest fixes.",
        discussion: """
            Prints a line for each problem, and a note for each condition that is fine as long as \
            you know about it. Changes nothing, and works when nothing is running. The exit status \
            is 1 if there is a problem. Names of people, positions and tokens are never printed.
            """)

    @Flag(help: "Print JSON, for programs.") var json = false
    @OptionGroup var options: DataOptions

    func run() async throws {
        let condition = await options.condition(thoroughly: true)
        let diagnosis = Diagnosis(condition)
        if json {
            let bytes = JSONWriter.object { json in
                condition.write(to: &json)
                json.key("troubles")
                json.array(diagnosis.troubles) { json, trouble in
                    json.object { json in
                        json.key("kind")
                        json.string(trouble.kind.rawValue)
                        json.key("name")
                        json.string(trouble.name)
                        json.key("text")
                        json.string(trouble.text)
                        json.key("wayOut")
                        json.string(trouble.wayOut)
                    }
                }
            }
            print(String(decoding: bytes, as: UTF8.self))
        } else {
            for trouble in diagnosis.troubles {
                print(trouble.kind == .trouble ? trouble.line : "note: \(trouble.line)")
            }
            if diagnosis.isFine { print("All is well with \(options.data).") }
        }
        if !diagnosis.isFine { throw ExitCode.failure }
    }
}
