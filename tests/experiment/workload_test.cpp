// Tables of tensors: the published totals, and each way in which a table can be wrong.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/workloads/workload.hpp"

#include <map>

#include "tests/common/places.hpp"
#include "tests/experiment/support.hpp"

namespace ocs {
namespace {

using test::refusal;

const std::string folder = ocs::test::source_dir() + "/testbed/workloads";

Workload parse(std::string_view text) { return parse_workload(text, "t", "t.csv"); }

std::string with_header(std::string_view rows) { return "index,name,shape,elements,bytes\n" + std::string(rows); }

std::string complaint(std::string_view rows) {
  return refusal([&] { parse(with_header(rows)); });
}

TEST(Workload, HasThePublishedNumberOfParameters) {
  // parameters as published: README.md of the folder
  const std::map<std::string, std::int64_t> published = {
      {"alexnet", 61'100'840},      {"bert_base", 109'482'240}, {"bert_large", 335'141'888},
      {"gpt2_small", 124'439'808},  {"gpt2_xl", 1'557'611'200}, {"inception_v3", 23'834'568},
      {"llama2_7b", 6'738'415'616}, {"resnet101", 44'549'160},  {"resnet152", 60'192'808},
      {"resnet32_cifar", 464'154},  {"resnet50", 25'557'032},   {"vgg16", 138'357'544},
      {"vgg19", 143'667'240},       {"softmax", 7'850},         {"mlp", 101'770}};
  EXPECT_EQ(workload_names(folder).size(), published.size());
  for (const auto& [name, parameters] : published)
    EXPECT_EQ(load_workload(name, folder, "").total.n, 4 * parameters) << name;
}

TEST(Workload, KeepsNameShapeAndSizeOfEachTensor) {
  const Workload resnet = load_workload("resnet50", folder, "");
  ASSERT_EQ(resnet.tensors.size(), 161u);
  EXPECT_EQ(resnet.name, "resnet50");
  EXPECT_EQ(resnet.tensors[0].name, "conv1.weight");
  EXPECT_EQ(resnet.tensors[0].shape, (std::vector<std::int64_t>{64, 3, 7, 7}));
  EXPECT_EQ(resnet.tensors[0].elements, 9408);
  EXPECT_EQ(resnet.tensors[0].bytes, Bytes{37632});
}

TEST(Workload, ReadsAFileRelativeToItsBase) {
  EXPECT_EQ(load_workload("file:alexnet.csv", "/nowhere", folder).total.n, 4 * 61'100'840);
  EXPECT_EQ(load_workload("file:" + folder + "/alexnet.csv", "", "/tmp").name.substr(0, 5), "file:");
}

TEST(Workload, TakesNarrowElements) {
  const Workload mixed = parse(with_header("0,a,2x3,6,12\n1,b,5x5,25,25\n2,c,1,1,4\n"));
  EXPECT_EQ(mixed.total, Bytes{41});
  EXPECT_EQ(mixed.tensors[0].bytes, Bytes{12});
  EXPECT_EQ(mixed.tensors[1].elements, 25);
}

TEST(Workload, TakesEitherLineEndAndNoLastOne) {
  EXPECT_EQ(parse("index,name,shape,elements,bytes\r\n0,a,2x3,6,24\r\n1,b,1,1,4").total, Bytes{28});
}

TEST(Workload, SaysFileLineWrongValueAndWhatWouldBeRight) {
  EXPECT_EQ(complaint("0,a,2x3,6,24\n2,b,1,1,4\n"), "t.csv:3: index is \"2\", but must be 1: rows count from 0");
  EXPECT_EQ(complaint("0,a,2x3,5,24\n"), "t.csv:2: elements is \"5\", but the shape \"2x3\" has 6");
  EXPECT_EQ(complaint("0,a,2x3,6,23\n"),
            "t.csv:2: bytes is \"23\", but must be 4 (fp32), 2 (fp16, bf16) or 1 (fp8) times the 6 elements");
  EXPECT_EQ(complaint("0,a,2x3,6,24.5\n"), "t.csv:2: bytes is \"24.5\", but must be a whole number from 0 to 2^63 - 1");
  EXPECT_EQ(complaint("0,a,2x,6,24\n"),
            "t.csv:2: shape is \"2x\", but must be whole numbers from 1 joined by x, such as 64x3x7x7");
  EXPECT_EQ(complaint("0,a,2x3,6\n"),
            "t.csv:2: the row has 4 fields, but must have 5: index,name,shape,elements,bytes");
  EXPECT_EQ(complaint("0,\"a\",1,1,4\n"), "t.csv:2: a workload table has no quotes, but the row is \"0,\"a\",1,1,4\"");
  EXPECT_EQ(complaint("0,a,1,1,4\n1,a,1,1,4\n"),
            "t.csv:3: name is \"a\" a second time, but each tensor must be listed once");
  EXPECT_EQ(complaint("0,,1,1,4\n"), "t.csv:2: name is empty, but must say which tensor it is");
  EXPECT_EQ(complaint("\n"), "t.csv:2: the line is empty, but must be a row: index,name,shape,elements,bytes");
  EXPECT_EQ(complaint(""), "t.csv:2: the table has no rows, but must have a header and at least one tensor");
  EXPECT_EQ(refusal([] { parse("name,bytes\n"); }),
            "t.csv:1: the first line is \"name,bytes\", but must be \"index,name,shape,elements,bytes\"");
}

TEST(Workload, RefusesSizesThatOverflow) {
  EXPECT_EQ(complaint("0,a,4294967296x4294967296,0,0\n"),
            "t.csv:2: the tensor is too large: its size exceeds 2^63 - 1");
  EXPECT_EQ(complaint("0,a,2305843009213693952,2305843009213693952,0\n"),
            "t.csv:2: the tensor is too large: its size exceeds 2^63 - 1");
  const std::string half = ",2305843009213693951,2305843009213693951,9223372036854775804\n";
  EXPECT_EQ(complaint("0,a" + half + "1,b" + half), "t.csv:3: the table is too large: its bytes exceed 2^63 - 1");
  for (const char* shape : {"0", "-1", "x", "1x", "x1", "1xx1", "1.0", " 1", "99999999999999999999"})
    complaint("0,a," + std::string(shape) + ",1,4\n");
}

TEST(Workload, SuggestsTheNameThatWasMeant) {
  const std::string sentence = refusal([] { load_workload("resnet5O", folder, ""); });
  EXPECT_NE(sentence.find("unknown workload \"resnet5O\" (did you mean \"resnet50\"?)"), std::string::npos) << sentence;
  refusal([] { load_workload("../workloads/resnet50", folder, ""); });
  refusal([] { load_workload("compute_times", folder, ""); });
}

TEST(Workload, SaysWhichFileIsMissing) {
  EXPECT_EQ(refusal([] { load_workload("file:no.csv", folder, "/nowhere"); }),
            "workload table \"/nowhere/no.csv\" can't be read: No such file or directory");
  EXPECT_EQ(refusal([] { load_workload("file:", folder, "/tmp"); }),
            "workload table \"/tmp/\" is a folder, not a file");
  EXPECT_NE(refusal([] { load_workload("resnet50", "/nowhere", ""); }).find("LIGHTLOOP_DATA"), std::string::npos);
}

}  // namespace
}  // namespace ocs
