; Every linkage, visibility, section and the like, of variables, aliases and functions.
$f = comdat any
$g = comdat any
@h = global i32 0
declare i32 @p(...)

@g0 = private global i32 0
define private void @f1() { ret void }
@g2 = private alias i32, ptr @h
@g3 = private default global i32 0
define private default void @f4() { ret void }
@g5 = private dso_local global i32 0
define private dso_local void @f6() { ret void }
@g7 = private dso_local alias i32, ptr @h
@g8 = private dso_preemptable global i32 0
define private dso_preemptable void @f9() { ret void }
@g10 = private dso_preemptable alias i32, ptr @h
@g11 = internal global i32 0
define internal void @f12() { ret void }
@g13 = internal alias i32, ptr @h
@g14 = internal default global i32 0
define internal default void @f15() { ret void }
@g16 = internal dso_local global i32 0
define internal dso_local void @f17() { ret void }
@g18 = internal dso_local alias i32, ptr @h
@g19 = internal dso_preemptable global i32 0
define internal dso_preemptable void @f20() { ret void }
@g21 = internal dso_preemptable alias i32, ptr @h
@g22 = linkonce global i32 0
define linkonce void @f23() { ret void }
@g24 = linkonce alias i32, ptr @h
@g25 = linkonce hidden global i32 0
define linkonce hidden void @f26() { ret void }
@g27 = linkonce protected global i32 0
define linkonce protected void @f28() { ret void }
@g29 = linkonce default global i32 0
define linkonce default void @f30() { ret void }
@g31 = linkonce dso_local global i32 0
define linkonce dso_local void @f32() { ret void }
@g33 = linkonce dso_local alias i32, ptr @h
@g34 = linkonce dso_preemptable global i32 0
define linkonce dso_preemptable void @f35() { ret void }
@g36 = linkonce dso_preemptable alias i32, ptr @h
@g37 = weak global i32 0
define weak void @f38() { ret void }
@g39 = weak alias i32, ptr @h
@g40 = weak hidden global i32 0
define weak hidden void @f41() { ret void }
@g42 = weak protected global i32 0
define weak protected void @f43() { ret void }
@g44 = weak default global i32 0
define weak default void @f45() { ret void }
@g46 = weak dso_local global i32 0
define weak dso_local void @f47() { ret void }
@g48 = weak dso_local alias i32, ptr @h
@g49 = weak dso_preemptable global i32 0
define weak dso_preemptable void @f50() { ret void }
@g51 = weak dso_preemptable alias i32, ptr @h
@g52 = linkonce_odr global i32 0
define linkonce_odr void @f53() { ret void }
@g54 = linkonce_odr alias i32, ptr @h
@g55 = linkonce_odr hidden global i32 0
define linkonce_odr hidden void @f56() { ret void }
@g57 = linkonce_odr protected global i32 0
define linkonce_odr protected void @f58() { ret void }
@g59 = linkonce_odr default global i32 0
define linkonce_odr default void @f60() { ret void }
@g61 = linkonce_odr dso_local global i32 0
define linkonce_odr dso_local void @f62() { ret void }
@g63 = linkonce_odr dso_local alias i32, ptr @h
@g64 = linkonce_odr dso_preemptable global i32 0
define linkonce_odr dso_preemptable void @f65() { ret void }
@g66 = linkonce_odr dso_preemptable alias i32, ptr @h
@g67 = weak_odr global i32 0
define weak_odr void @f68() { ret void }
@g69 = weak_odr alias i32, ptr @h
@g70 = weak_odr hidden global i32 0
define weak_odr hidden void @f71() { ret void }
@g72 = weak_odr protected global i32 0
define weak_odr protected void @f73() { ret void }
@g74 = weak_odr default global i32 0
define weak_odr default void @f75() { ret void }
@g76 = weak_odr dso_local global i32 0
define weak_odr dso_local void @f77() { ret void }
@g78 = weak_odr dso_local alias i32, ptr @h
@g79 = weak_odr dso_preemptable global i32 0
define weak_odr dso_preemptable void @f80() { ret void }
@g81 = weak_odr dso_preemptable alias i32, ptr @h
@g82 = common global i32 0
@g83 = common hidden global i32 0
@g84 = common protected global i32 0
@g85 = common default global i32 0
@g86 = common dso_local global i32 0
@g87 = common dso_preemptable global i32 0
@g88 = extern_weak global i32
declare extern_weak void @f89()
declare extern_weak dso_local void @f90()
declare extern_weak dso_preemptable void @f91()
@g92 = external global i32
define external void @f93() { ret void }
declare external void @f94()
@g95 = external alias i32, ptr @h
define external hidden void @f96() { ret void }
define external protected void @f97() { ret void }
define external default void @f98() { ret void }
define external dso_local void @f99() { ret void }
declare external dso_local void @f100()
@g101 = external dso_local alias i32, ptr @h
define external dso_preemptable void @f102() { ret void }
declare external dso_preemptable void @f103()
@g104 = external dso_preemptable alias i32, ptr @h
@g105 = available_externally global i32 0
define available_externally void @f106() { ret void }
@g107 = available_externally hidden global i32 0
define available_externally hidden void @f108() { ret void }
@g109 = available_externally protected global i32 0
define available_externally protected void @f110() { ret void }
@g111 = available_externally default global i32 0
define available_externally default void @f112() { ret void }
@g113 = available_externally dso_local global i32 0
define available_externally dso_local void @f114() { ret void }
@g115 = available_externally dso_preemptable global i32 0
define available_externally dso_preemptable void @f116() { ret void }
@g117 =  global i32 0
define  void @f118() { ret void }
declare  void @f119()
@g120 =  alias i32, ptr @h
@g121 =  hidden global i32 0
define  hidden void @f122() { ret void }
@g123 =  protected global i32 0
define  protected void @f124() { ret void }
@g125 =  default global i32 0
define  default void @f126() { ret void }
@g127 =  dso_local global i32 0
define  dso_local void @f128() { ret void }
declare  dso_local void @f129()
@g130 =  dso_local alias i32, ptr @h
@g131 =  dso_preemptable global i32 0
define  dso_preemptable void @f132() { ret void }
declare  dso_preemptable void @f133()
@g134 =  dso_preemptable alias i32, ptr @h
@g135 = dllexport global i32 0
define dllexport void @f136() { ret void }
declare dllexport void @f137()
@g138 = dllexport alias i32, ptr @h
@g139 = thread_local global i32 0
@g140 = thread_local constant i32 0
@g141 = thread_local(localdynamic) global i32 0
@g142 = thread_local(localdynamic) constant i32 0
@g143 = thread_local(initialexec) global i32 0
@g144 = thread_local(initialexec) constant i32 0
@g145 = thread_local(localexec) global i32 0
@g146 = thread_local(localexec) constant i32 0
@g147 = unnamed_addr global i32 0
@g148 = unnamed_addr constant i32 0
@g149 = local_unnamed_addr global i32 0
@g150 = local_unnamed_addr constant i32 0
@g151 = externally_initialized global i32 0
@g152 = externally_initialized constant i32 0
@g153 = thread_local unnamed_addr global i32 0
@g154 = thread_local unnamed_addr constant i32 0
@g155 = addrspace(1) externally_initialized global i32 0
@g156 = addrspace(1) externally_initialized constant i32 0
@g157 = addrspace(16777215) global i32 0
@g158 = addrspace(16777215) constant i32 0
@g159 = addrspace("G") global i32 0
@g160 = addrspace("G") constant i32 0
@g161 = addrspace("A") global i32 0
@g162 = addrspace("A") constant i32 0
@g163 = dso_local hidden global i32 0
@g164 = dso_local hidden constant i32 0
@g165 = global i32 0, section "a"
@g166 = global i32 0, partition "p"
@g167 = global i32 0, section "a", partition "p"
@g168 = global i32 0, partition "p", section "a"
@g169 = global i32 0, align 8
@g170 = global i32 0, align 8, section "a"
@g171 = global i32 0, code_model "small"
@g172 = global i32 0, code_model "large", align 4
@g173 = global i32 0, section "a", align 4, !foo !0
@g174 = global i32 0, align 4, !foo !0, !bar !0
@g175 = global i32 0, no_sanitize_address
@g176 = global i32 0, no_sanitize_hwaddress
@g177 = global i32 0, sanitize_memtag
@g178 = global i32 0, sanitize_address_dyninit
@g179 = global i32 0, no_sanitize_address, no_sanitize_hwaddress, sanitize_memtag, sanitize_address_dyninit
@g180 = global i32 0, section ""
@g181 = global i32 0, align 1
@g182 = global i32 0, comdat($g)
@g184 = global i32 0 #0
@g185 = global i32 0, align 4 #0
@g186 = global i32 0 "a"="b"
@g187 = global i32 0, align 4 "a"
@g188 = alias i32, ptr @h
@g189 = alias i32, i32* @h
@g190 = alias float, ptr @h
@g191 = hidden alias i32, ptr @h
@g192 = thread_local alias i32, ptr @h
@g193 = unnamed_addr alias i32, ptr @h
@g194 = local_unnamed_addr alias i32, ptr @h
@g195 = alias i32, ptr @h, partition "p"
@g196 = alias i8, getelementptr (i8, ptr @h, i64 1)
@g197 = alias i8, ptr getelementptr (i8, ptr @h, i64 1)
@g198 = alias i32, bitcast (ptr @h to ptr)
@g199 = alias i32, addrspacecast (ptr @h to ptr addrspace(1))
@g200 = alias i32, ptr addrspace(1) addrspacecast (ptr @h to ptr addrspace(1))
@g201 = dllexport alias i32, ptr @h
@g202 = alias [4 x i8], ptr @h
@g203 = alias void (), ptr @h
define void @f204() gc "x" { ret void }
declare void @f205() gc "x"
define void @f206() prefix i32 5 { ret void }
declare void @f207() prefix i32 5
define void @f208() prologue i32 5 { ret void }
declare void @f209() prologue i32 5
define void @f210() personality ptr @p { ret void }
define void @f211() section "s" { ret void }
declare void @f212() section "s"
define void @f213() partition "p" { ret void }
declare void @f214() partition "p"
define void @f215() align 8 { ret void }
declare void @f216() align 8
define void @f217() comdat($f) { ret void }
define void @f218() unnamed_addr { ret void }
declare void @f219() unnamed_addr
define void @f220() local_unnamed_addr { ret void }
declare void @f221() local_unnamed_addr
define void @f222() addrspace(0) { ret void }
declare void @f223() addrspace(0)
define void @f224() addrspace(1) { ret void }
declare void @f225() addrspace(1)
define void @f226() unnamed_addr #0 { ret void }
declare void @f227() unnamed_addr #0
define void @f228() #0 section "s" align 4 gc "x" prefix i32 1 prologue i8 2 personality ptr @p { ret void }
define void @f229() section "s" partition "q" comdat($f) align 16 { ret void }
define void @f230() personality i32 5 { ret void }
define void @f231() personality ptr null { ret void }
define void @f232() !foo !0 { ret void }
define void @f233() section "s" !foo !0 !bar !0 { ret void }
define void @f234() personality ptr @p !foo !0 { ret void }
define void @f235() unnamed_addr addrspace(1) { ret void }
declare void @f236() unnamed_addr addrspace(1)
define void @f237() align(8) { ret void }
declare void @f238() align(8)
define void @f239() alignstack(8) { ret void }
declare void @f240() alignstack(8)
define void @f241() "a" "b"="c" { ret void }
declare void @f242() "a" "b"="c"
define void @f243() #0 #1 nounwind { ret void }
declare void @f244() #0 #1 nounwind
define void @f245() section "" { ret void }
declare void @f246() section ""
define void @f247() prefix ptr @h { ret void }
declare void @f248() prefix ptr @h
define void @f249() prefix i32 undef { ret void }
declare void @f250() prefix i32 undef
define void @f251() prefix <{ i32, i32 }> <{ i32 1, i32 2 }> { ret void }
declare void @f252() prefix <{ i32, i32 }> <{ i32 1, i32 2 }>

attributes #0 = { nounwind }
attributes #1 = { "x"="y" }

!0 = !{i32 1}
